"""Tables for people: the only referee. A table is its list of events; everything else is made from it again."""

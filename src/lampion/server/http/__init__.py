"""The web application: routes, WebSocket connections, and the limits on what strangers may send."""

/** The last emoji that each seat sent, until it fades. */
const LASTS = 4000;

export class Signs {
  shown = $state.raw<Record<number, string>>({});

  show(seat: number, emoji: string): void {
    this.shown = { ...this.shown, [seat]: emoji };
    setTimeout(() => {
      const { [seat]: _, ...rest } = this.shown;
      this.shown = rest;
    }, LASTS);
  }
}

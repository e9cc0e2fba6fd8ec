/** How far the download of a static site's room is. */
class Download {
  total = $state(0);
  bytes = $state(0);
  isDone = $state(false);
  hasFailed = $state(false);

  add(bytes: number): void {
    this.bytes += bytes;
  }

  /** From 0 to 1. */
  get part(): number {
    return this.total === 0 ? 0 : Math.min(1, this.bytes / this.total);
  }
}

export const download = new Download();

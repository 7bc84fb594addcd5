/** Counts the uses of something that is changed or closed only while nobody uses it. */
export class UseCount {
  #count = 0;
  #waiting: (() => void)[] = [];

  /** @returns what ends the use; to be called once */
  begin(): () => void {
    this.#count++;
    return () => {
      if (--this.#count > 0) return;
      for (const goOn of this.#waiting.splice(0)) goOn();
    };
  }

  /** Waits until there is no use. */
  async idle(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

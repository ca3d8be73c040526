// The clock of this process, to be moved: what is played then has happened days ago, and a wait of a minute takes no time.
export type Clock = Disposable & {
  /** From now on it is this long before the real time. */
  setBack(ms: number): void;
  /** Lets so much time pass at once. */
  pass(ms: number): void;
};

export function moveClock(): Clock {
  const real = Date.now;
  let back = 0;
  Date.now = () => real() - back;
  return {
    setBack(ms) {
      back = ms;
    },
    pass(ms) {
      back = Math.max(0, back - ms);
    },
    [Symbol.dispose]() {
      Date.now = real;
    },
  };
}

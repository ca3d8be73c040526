// A movable clock for this process: played events happened days ago, and a wait of a minute takes no time.
export type Clock = Disposable & {
  /** From now on it runs this far behind the real time. */
  setBack(ms: number): void;
  /** Advances the time by this much. */
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

// Looks at the processes of a command again and again while it runs, so that it is known afterwards when it did something.
import { type Activity, coarser, type Processes, type Span, spanBetween } from './activity.ts';
import type { Ancestor } from './family.ts';
import { type FamilyLooks, lookAtFamily } from './look-at-family.ts';

/** Begins with the time before the command starts; `end` is called when all of it has ended. */
export type FamilyWatch = Disposable & { follow(family: Ancestor): void; end(): Activity };

// Most commands have ended before the first look.
const firstMs = 20;
const atFirstMs = 1000;
const laterMs = 50;
// Where a family is large a look takes long, so there are fewer: at most a twentieth of a processor is spent on them.
const pausesPerLook = 20;
const longestMs = 500;
const mostSpans = 50_000;
/** Where processes can't be looked at, so short a run counts as one piece of work. */
const shortMs = 100;
const everything = { did: 'something', bytes: Number.POSITIVE_INFINITY } as const;

export function watchFamily(root: string): FamilyWatch {
  const looks: FamilyLooks = { root, strangers: new Set(), openInodes: new Set() };
  const startedAt = now();
  let spans: Span[] = [];
  let last: { at: Moment; processes: Processes | undefined } = { at: startedAt, processes: undefined };
  let isClockSteady = true;
  let timer: NodeJS.Timeout | undefined;
  let lastCost = 0;

  function add(span: Span, at: Moment): void {
    isClockSteady &&= !wentBack(last.at, at);
    const latest = spans.at(-1);
    if (latest?.did === 'nothing' && span.did === 'nothing') latest.to = span.to;
    else spans.push(span);
    if (spans.length > mostSpans) spans = coarser(spans);
  }

  function look(family: Ancestor): void {
    const at = now();
    const before = process.threadCpuUsage();
    const processes = lookAtFamily(family, looks, last.processes);
    const { user, system } = process.threadCpuUsage(before);
    const done = now();
    // What has ended before the first look is not known, unless it is the first itself that has waited for it.
    const known = last.processes ?? (processes.has(family.pid) ? new Map() : undefined);
    const did = known === undefined ? everything : spanBetween(known, processes);
    add({ from: last.at.wall, to: done.laterWall, ...did }, at);
    last = { at, processes };
    const usual = at.steady - startedAt.steady < atFirstMs ? firstMs : laterMs;
    const cost = (user + system) / 1000;
    // The first look is slow because the code is new; one slow look means nothing.
    plan(family, Math.min(longestMs, Math.max(usual, pausesPerLook * Math.min(cost, lastCost))));
    lastCost = cost;
  }

  function plan(family: Ancestor, ms: number): void {
    timer = setTimeout(look, ms, family).unref();
  }

  return {
    follow(family) {
      if (process.platform === 'linux') plan(family, firstMs);
    },
    end() {
      clearTimeout(timer);
      const at = now();
      const isKnown = process.platform === 'linux' || at.steady - startedAt.steady < shortMs;
      const did = isKnown ? everything : ({ ...everything, did: 'unknown' } as const);
      add({ from: last.at.wall, to: at.laterWall, ...did }, at);
      return { spans, isClockSteady, openInodes: looks.openInodes };
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/** The wall clock, read before and after the steady one: anything may happen in between. */
type Moment = { wall: number; steady: number; laterWall: number };

function now(): Moment {
  return { wall: Date.now(), steady: performance.now(), laterWall: Date.now() };
}

// Forward does no harm: times of files are still in the order of what happened.
function wentBack(before: Moment, after: Moment): boolean {
  const grainMs = 2;
  return after.laterWall - after.steady < before.wall - before.steady - grainMs;
}

// The scroll position of the list of messages and its unfolded cards, kept for each session.
import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useRef } from 'react';
import { create } from 'zustand';
import { forkAt, useBranches } from '../../session/branches.ts';
import { currentSession } from '../../session/current-session.ts';
import { sessionValue } from '../../session/screen-state.ts';
import { registerReader } from '../../session/sections.ts';
import type { Entry, SessionModel } from '../../session/session-model.ts';
import { useSessionStore } from '../../session/session-store.ts';
import type { ConversationRow } from './conversation-rows.ts';
import { useFind } from './find/find-store.ts';
import { holdWholeSession } from './load-sections.ts';

// The position is the row at the top of the screen, so that a reload, a restart or another device goes on there. A list at its end stays there.
/** `row` empty: at the end. `below`: how far its top is above the edge. */
type Place = { row: string; below: number };

const places = sessionValue<Place>(
  'place',
  (value) => typeof value === 'object' && value !== null && 'row' in value,
);
const waitMs = 300;
// Rows are measured as they come into view: so many frames, and the place is right.
const frames = 12;

/** The entry that one is led to, whose section stays loaded. */
let target: { session: string; key: string } | undefined;

registerReader({
  lookedAt(model) {
    const arrows =
      clickedArrows?.session === model.id ? forkEntry(model, clickedArrows.place)?.key : undefined;
    const key = arrows ?? (target?.session === model.id ? target.key : places.read(model.id)?.row);
    return key === undefined ? undefined : { from: key, to: key };
  },
});

type Options = {
  session: string;
  rows: readonly ConversationRow[];
  scroller: RefObject<HTMLElement | null>;
  virtual: Virtualizer<HTMLDivElement, Element>;
  isStuck(): boolean;
  /** Leaves the end of the list. */
  release(): void;
};

export function useKeptPlace({ session, rows, scroller, virtual, isStuck, release }: Options): void {
  const latest = useRef(rows);
  latest.current = rows;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is made anew for each session; what it held then is what counts.
  useEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    let isGone = false;
    // A match of the search is shown instead.
    const isOver = (): boolean => isGone || useFind.getState().isOpen;
    // Rows come and go while one is led there.
    const indexOf = (key: string): number => latest.current.findIndex((row) => row.key === key);
    const go = (place: Place | undefined): void =>
      goTo({ session, box, virtual, isOver, indexOf, release }, place);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keep = (): void => {
      timer = undefined;
      const place = isStuck() ? { row: '', below: 0 } : placeIn(box);
      const known = places.read(session);
      if (place === undefined || (known?.row === place.row && Math.abs(known.below - place.below) < 2))
        return;
      if (known !== undefined || place.row !== '') places.write(session, place);
    };
    const onScroll = (): void => {
      timer ??= setTimeout(keep, waitMs);
    };
    const arrows = takeArrows(session);
    const fork = arrows && forkEntry(useSessionStore.getState().model, arrows.place)?.key;
    if (arrows !== undefined && fork !== undefined) {
      target = { session, key: fork };
      release();
      holdArrows({ box, virtual, isOver, forkRow: () => indexOf(fork) }, arrows, frames);
    } else {
      go(places.read(session));
      void places.newer(session).then(go);
    }
    box.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      isGone = true;
      clearTimeout(timer);
      box.removeEventListener('scroll', onScroll);
    };
  }, [session]);
}

type Leading = Pick<Options, 'session' | 'virtual' | 'release'> & {
  box: HTMLElement;
  isOver(): boolean;
  indexOf(row: string): number;
};

function goTo(list: Leading, place: Place | undefined): void {
  if (place === undefined || place.row === '' || list.isOver()) return;
  target = { session: list.session, key: place.row };
  if (list.indexOf(place.row) < 0) {
    if (isCut()) void goLater(list, place);
    return;
  }
  list.release();
  settle(list, place, frames);
}

/** The place of another device may be in a section that is not loaded. */
async function goLater(list: Leading, place: Place): Promise<void> {
  const stop = await holdWholeSession().catch(() => () => undefined);
  requestAnimationFrame(() => {
    if (list.indexOf(place.row) >= 0) goTo(list, place);
    stop();
  });
}

function settle(list: Leading, place: Place, framesLeft: number): void {
  const { box, virtual, isOver, indexOf } = list;
  if (isOver() || framesLeft === 0) return;
  const row = box.querySelector(`[data-row="${CSS.escape(place.row)}"]`);
  if (row === null) virtual.scrollToIndex(indexOf(place.row), { align: 'start' });
  else box.scrollTop += row.getBoundingClientRect().top - box.getBoundingClientRect().top + place.below;
  requestAnimationFrame(() => settle(list, place, framesLeft - 1));
}

/** The first row that reaches into the window. */
function placeIn(box: HTMLElement): Place | undefined {
  const edge = box.getBoundingClientRect().top;
  for (const row of box.querySelectorAll<HTMLElement>('[data-index]')) {
    const { top, bottom } = row.getBoundingClientRect();
    const key = row.dataset.row;
    if (bottom > edge && key !== undefined) return { row: key, below: Math.round(edge - top) };
  }
  return undefined;
}

/** The arrows of a branch that were clicked, and where they stood: in the next branch they stand there again, so that one clicks on and on. */
type BranchArrows = { session: string; place: string; arrow: string; top: number };

let clickedArrows: BranchArrows | undefined;

export function holdBranchArrows(arrows: BranchArrows): void {
  clickedArrows = arrows;
}

function takeArrows(session: string): BranchArrows | undefined {
  const arrows = clickedArrows;
  clickedArrows = undefined;
  return arrows?.session === session ? arrows : undefined;
}

function forkEntry(model: SessionModel, place: string): Entry | undefined {
  const { all } = useBranches.getState();
  return model.entries.find((entry) => forkAt(all, entry, model)?.place === place);
}

function isCut(): boolean {
  return useSessionStore.getState().model.entries.some(({ kind }) => kind === 'unloaded');
}

type List = Pick<Options, 'virtual'> & { box: HTMLElement; isOver(): boolean; forkRow(): number };

function holdArrows(list: List, arrows: BranchArrows, framesLeft: number): void {
  const { box, virtual, isOver, forkRow } = list;
  if (isOver()) return;
  const element = box.querySelector<HTMLElement>(`[data-fork="${arrows.place}"]`);
  if (element === null) virtual.scrollToIndex(forkRow(), { align: 'center' });
  else placeArrows(box, element, arrows);
  if (framesLeft > 0) requestAnimationFrame(() => holdArrows(list, arrows, framesLeft - 1));
  // Where nothing had to be scrolled, whether this is the end of the list is still to be found out.
  else box.dispatchEvent(new Event('scroll'));
}

/** A branch that is shorter than the one before gets room above or below, or its arrows could not stand in the same place. */
function placeArrows(box: HTMLElement, element: HTMLElement, { top, arrow }: BranchArrows): void {
  const content = box.firstElementChild;
  const away = element.getBoundingClientRect().top - top;
  if (Math.abs(away) >= 1 && content instanceof HTMLElement) {
    const wanted = box.scrollTop + away;
    const missing = wanted - (box.scrollHeight - box.clientHeight);
    if (wanted < 0) content.style.paddingTop = `${paddingOf(content, 'paddingTop') - wanted}px`;
    if (missing > 0) content.style.paddingBottom = `${paddingOf(content, 'paddingBottom') + missing}px`;
    box.scrollTop = wanted;
  }
  // The focus of an element that is gone goes to the body, or to the main area.
  if (!['BODY', 'MAIN'].includes(document.activeElement?.tagName ?? '')) return;
  const button = element.querySelector<HTMLElement>(`[data-arrow="${arrow}"]:enabled`);
  (button ?? element.querySelector<HTMLElement>('button:enabled'))?.focus({ preventScroll: true });
}

function paddingOf(element: HTMLElement, side: 'paddingTop' | 'paddingBottom'): number {
  return Number.parseFloat(getComputedStyle(element)[side]);
}

// Which cards of a session are unfolded. Kept here, for a row that scrolls out of sight is gone; and for a reload or another device.
type Folds = [id: string, isOpen: boolean][];

const mostKept = 300;
const folds = sessionValue<Folds>('unfolded', Array.isArray);

const useOpened = create<{ session: string; opened: ReadonlyMap<string, boolean> }>(() => ({
  session: '',
  opened: new Map(),
}));

/** Loads the unfolded cards of the session, also those that another device unfolded later. */
export function useUnfolded(session: string): void {
  useEffect(() => {
    useOpened.setState({ session, opened: new Map(folds.read(session)) });
    const { opened } = useOpened.getState();
    void folds.newer(session).then((found) => {
      const now = useOpened.getState();
      if (found !== undefined && now.opened === opened) useOpened.setState({ opened: new Map(found) });
    });
  }, [session]);
}

/** `isOpenAtFirst` holds until the reader has said otherwise. */
export function useOpen(id: string, isOpenAtFirst: boolean): [isOpen: boolean, toggle: () => void] {
  const isOpen = useOpened(({ opened }) => opened.get(id)) ?? isOpenAtFirst;
  const toggle = (): void => {
    useOpened.setState(({ opened }) => ({ opened: new Map(opened).set(id, !isOpen) }));
    folds.write(currentSession(), [...useOpened.getState().opened].slice(-mostKept));
  };
  return [isOpen, toggle];
}

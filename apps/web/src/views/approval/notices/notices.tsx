// Browser notifications while the page is hidden: enabling them, showing one, and their sound and badge.
import { visibleLine } from '@codelab/protocol';
import { Bell, BellOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { showView } from '../../../layout/show-view.ts';
import { remembered } from '../../../remembered.ts';
import { currentSession, openSession } from '../../../session/current-session.ts';
import { planTexts } from '../../../text/phrases.ts';
import { currentText, useText } from '../../../text/use-text.ts';
import { IconButton } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toast.tsx';
import { focusApproval } from '../card-focus.ts';
import type { ApprovalQuestion } from '../questions.ts';

// Notices for a person who is elsewhere: notifications, a sound, and a dot on the page's icon.
/** Asks for notifications, or stops them. The browser is asked for its leave only after this was pressed. */
export function NotifyButton() {
  const words = useText().approval;
  const isOn = useNotices((state) => state.isOn);
  if (!canNotify()) return null;
  const change = async (): Promise<void> => {
    if (!(await switchNotices(!isOn))) toast(words.notifyDenied, { tone: 'bad' });
  };
  return (
    <IconButton
      size="small"
      icon={isOn ? BellOff : Bell}
      label={isOn ? words.notifyOff : words.notify}
      onClick={() => void change()}
    />
  );
}

/** Notifications of the system, for approvals that come while the page is not seen. Only for those who asked for them. */
const storedChoice = remembered('notify', false);

export const useNotices = create<{ isOn: boolean }>(() => ({ isOn: storedChoice.read() && isAllowed() }));

export function canNotify(): boolean {
  return typeof Notification !== 'undefined';
}

/** False when the browser refuses. */
export async function switchNotices(isOn: boolean): Promise<boolean> {
  const isGranted = !isOn || (await Notification.requestPermission()) === 'granted';
  const next = isOn && isGranted;
  if (next) await registerWorker();
  storedChoice.write(next);
  useNotices.setState({ isOn: next });
  return isGranted;
}

/** Tells of each question once. */
export function useApprovalNotices(questions: readonly ApprovalQuestion[]): void {
  const noticed = useRef(new Set<string>());
  useEffect(() => {
    for (const question of questions) {
      const news = question.approvals.filter(({ id }) => !noticed.current.has(id));
      for (const { id } of news) noticed.current.add(id);
      if (news.length === 0 || !document.hidden) continue;
      if (useNotices.getState().isOn && isAllowed()) notify(question);
      if (useSound.getState().isOn) playSound();
    }
  }, [questions]);
}

/** A later notice of the same question takes the place of the one before. */
function notify({ key, approvals }: ApprovalQuestion): void {
  const [{ id, tool, plan }] = approvals;
  const texts = currentText();
  const words = texts.approval;
  const title = approvals.length > 1 ? words.noticeMany(approvals.length) : words.notice(visibleLine(tool));
  void showNotice({
    ...{ title, body: visibleLine(planTexts(plan, texts).summary).slice(0, 200), tag: key },
    ...{ session: currentSession(), approval: id },
  });
}

/** A short sound for those who want one; nobody has it without having switched it on. */
const keptSound = remembered('sound', false);

export const useSound = create<{ isOn: boolean }>(() => ({ isOn: keptSound.read() }));

export function switchSound(isOn: boolean): void {
  keptSound.write(isOn);
  useSound.setState({ isOn });
  if (isOn) playSound();
}

function playSound(): void {
  try {
    const audio = new AudioContext();
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const end = audio.currentTime + soundSeconds;
    tone.frequency.value = 660;
    volume.gain.setValueAtTime(0.08, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.0001, end);
    tone.connect(volume).connect(audio.destination);
    tone.addEventListener('ended', () => void audio.close());
    tone.start();
    tone.stop(end);
  } catch {
    // A page that nobody has touched yet may not make a sound.
  }
}

const soundSeconds = 0.3;

export function isAllowed(): boolean {
  return canNotify() && Notification.permission === 'granted';
}

/** A dot on the page's icon while something waits, for those who have it as one tab among many. */
const dotted =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3b5bdb"/><path d="M12.5 9.5 6.5 16l6 6.5M19.5 9.5l6 6.5-6 6.5" fill="none" stroke="#fff" stroke-width="2.6"/><circle cx="24" cy="8" r="7.5" fill="#ff6b35" stroke="#fff" stroke-width="2"/></svg>';

export function useIconBadge(isOn: boolean): void {
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel~="icon"]');
    if (icon === null || !isOn) return;
    const before = icon.href;
    icon.href = `data:image/svg+xml,${encodeURIComponent(dotted)}`;
    return () => {
      icon.href = before;
    };
  }, [isOn]);
}

// A notification of the system. The service worker shows it where there is one: its notifications outlive a page that is put to sleep, and phones allow no others.
/** `tag`: a later notice with the same one takes its place. */
export type Notice = { title: string; body: string; tag: string; session: string; approval?: string };

/** After this, notices go on while the page is in the background. Nothing is sent through anybody's push service. */
async function registerWorker(): Promise<void> {
  // A browser that has none, or an address that may not have one, shows notices by itself.
  await navigator.serviceWorker?.register('/sw.js').catch(() => undefined);
}

export async function showNotice({ title, body, tag, ...data }: Notice): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  try {
    if (worker?.active) {
      await worker.showNotification(title, { body, tag, data, icon: '/icon-192.png' });
      return;
    }
  } catch {
    // A worker may be refused what the page itself is allowed.
  }
  try {
    const notice = new Notification(title, { body, tag });
    notice.addEventListener('click', () => {
      window.focus();
      notice.close();
      follow(data);
    });
  } catch {
    // Some phones allow notifications and still refuse to make one here.
  }
}

function follow({ session, approval }: Pick<Notice, 'session' | 'approval'>): void {
  if (session !== '') openSession(session);
  showView('conversation');
  if (approval !== undefined) focusApproval(approval);
}

/** The request of a click on a notification of the worker. */
export function listenToWorker(): void {
  navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const { type, session, approval } = (data ?? {}) as Record<string, unknown>;
    if (type !== 'notice' || typeof session !== 'string') return;
    follow({ session, ...(typeof approval === 'string' && { approval }) });
  });
}

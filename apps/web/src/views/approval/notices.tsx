// What tells a person elsewhere that something waits: notifications, and a dot on the page's icon.
import { type ApprovalRequest, visibleLine } from '@codelab/protocol';
import { Bell, BellOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { remembered } from '../../remembered.ts';
import { currentText, useText } from '../../text/use-text.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { toast } from '../../ui/toast.tsx';

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
const kept = remembered('notify', false);

export const useNotices = create<{ isOn: boolean }>(() => ({ isOn: kept.read() && isAllowed() }));

export function canNotify(): boolean {
  return typeof Notification !== 'undefined';
}

/** False when the browser refuses. */
export async function switchNotices(isOn: boolean): Promise<boolean> {
  const isGranted = !isOn || (await Notification.requestPermission()) === 'granted';
  const next = isOn && isGranted;
  kept.write(next);
  useNotices.setState({ isOn: next });
  return isGranted;
}

/** Tells of each approval once. */
export function useApprovalNotices(pending: readonly ApprovalRequest[]): void {
  const told = useRef(new Set<string>());
  useEffect(() => {
    for (const approval of pending) {
      if (told.current.has(approval.id)) continue;
      told.current.add(approval.id);
      if (document.hidden && useNotices.getState().isOn && isAllowed()) notify(approval);
    }
  }, [pending]);
}

function notify({ id, tool, plan }: ApprovalRequest): void {
  const title = currentText().approval.notice(visibleLine(tool));
  try {
    const notice = new Notification(title, { body: visibleLine(plan.summary).slice(0, 200), tag: id });
    notice.addEventListener('click', () => {
      window.focus();
      notice.close();
    });
  } catch {
    // Some phones allow notifications and still refuse to make one here.
  }
}

function isAllowed(): boolean {
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

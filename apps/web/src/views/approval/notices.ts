// Notifications of the system, for approvals that come while the page is not seen. Only for those who asked for them.
import { type ApprovalRequest, visibleLine } from '@codelab/protocol';
import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { remembered } from '../../remembered.ts';
import { currentText } from '../../text/use-text.ts';

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

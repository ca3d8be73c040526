// Asks for notifications, or stops them. The browser is asked for its leave only after this was pressed.
import { Bell, BellOff } from 'lucide-react';
import { useText } from '../../text/use-text.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { toast } from '../../ui/toast.tsx';
import { canNotify, switchNotices, useNotices } from './notices.ts';

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

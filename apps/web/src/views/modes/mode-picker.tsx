// The mode at the composer: the present one, and all of them with their meaning.
import { policyModes } from '@codelab/protocol';
import { ClipboardList, Eye, Lock, type LucideIcon, MessageCircleQuestionMark, Zap } from 'lucide-react';
import { useState } from 'react';
import { useActions } from '../../actions/actions.ts';
import { showView } from '../../layout/show-view.ts';
import { useSession } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { toastError } from '../../ui/toast.tsx';
import { chooseWorkMode, useWorkMode, type WorkMode } from './work-mode.ts';

const workModes: readonly WorkMode[] = [...policyModes, 'plan'];
const icons: Record<WorkMode, LucideIcon> = {
  strict: Lock,
  balanced: MessageCircleQuestionMark,
  review: Eye,
  trusted: Zap,
  plan: ClipboardList,
};

export function ModePicker() {
  const words = useText().modePicker;
  const { modeHints } = useText().settings;
  const ofSession = useSession(({ profile }) => profile);
  const current = useWorkMode();
  const [isOpen, setIsOpen] = useState(false);
  const nameOf = useModeName();
  const choose = (mode: WorkMode): void => void chooseWorkMode(mode, ofSession).catch(toastError);
  useModeActions(() => setIsOpen(true), choose);
  if (current === undefined) return null;
  const Icon = icons[current];
  return (
    <Menu
      label={words.mode}
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button
          size="small"
          tone="quiet"
          aria-label={`${words.mode}: ${nameOf(current)}`}
          icon={<Icon aria-hidden className="size-3.5" />}
        >
          <span className="max-w-44 truncate">{nameOf(current)}</span>
        </Button>
      }
      items={workModes.map((mode) => ({
        id: mode,
        label: nameOf(mode),
        hint: mode === 'plan' ? words.planHint : modeHints[mode],
        isChosen: mode === current,
        onSelect: () => choose(mode),
      }))}
    />
  );
}

function useModeName(): (mode: WorkMode) => string {
  const { modePicker, settings } = useText();
  return (mode) => (mode === 'plan' ? modePicker.plan : settings.modes[mode]);
}

/** The palette opens the menu, or switches to a mode at once. */
function useModeActions(openMenu: () => void, choose: (mode: WorkMode) => void): void {
  const words = useText().modePicker;
  const nameOf = useModeName();
  const run = (): void => {
    showView('conversation');
    openMenu();
  };
  useActions([
    { id: 'conversation.mode', group: 'session', label: words.switchMode, run },
    ...workModes.map((mode) => ({
      id: `mode.${mode}`,
      group: 'session' as const,
      label: `${words.mode}: ${nameOf(mode)}`,
      run: () => choose(mode),
    })),
  ]);
}

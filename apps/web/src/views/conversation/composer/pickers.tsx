// The mode, the profile and the model of the next message.

import { Bot, Cpu } from 'lucide-react';
import { useSession } from '../../../session/session-store.ts';
import { useText } from '../../../text/use-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { ModePicker } from '../../modes/mode-picker.tsx';
import { WorktreeChoice } from '../../worktrees/worktree-choice.tsx';
import { useCatalogue } from './catalogue-store.ts';
import { usePicks } from './send-message.ts';

export function Pickers() {
  return (
    <>
      <ModePicker />
      <ProfilePicker />
      <ModelPicker />
      <WorktreeChoice />
    </>
  );
}

function ProfilePicker() {
  const words = useText().conversation;
  const { agents, defaultAgent } = useCatalogue();
  const ofSession = useSession(({ profile }) => profile);
  const picked = usePicks(({ profile }) => profile);
  const current = picked || ofSession || defaultAgent;
  if (agents.length === 0) return null;
  return (
    <Menu
      label={words.profile}
      trigger={
        <Button
          size="small"
          tone="quiet"
          aria-label={`${words.profile}: ${current}`}
          icon={<Bot aria-hidden className="size-3.5" />}
        >
          <span className="truncate">{current}</span>
        </Button>
      }
      items={agents.map(({ type, name, description }) => ({
        id: type,
        label: name,
        hint: description,
        isChosen: type === current,
        onSelect: () => usePicks.setState({ profile: type }),
      }))}
    />
  );
}

function ModelPicker() {
  const words = useText().conversation;
  const { models, currentModel } = useCatalogue();
  const picked = usePicks(({ model }) => model);
  const current = picked || currentModel;
  const label = models.find(({ name }) => name === current)?.label ?? current;
  // Without a model the page asks to connect one.
  if (models.length === 0 || current === '') return null;
  return (
    <Menu
      label={words.model}
      trigger={
        <Button
          size="small"
          tone="quiet"
          aria-label={`${words.model}: ${label}`}
          icon={<Cpu aria-hidden className="size-3.5" />}
        >
          <span className="max-w-36 truncate">{label}</span>
        </Button>
      }
      items={models.map(({ name, label: shown }) => ({
        id: name,
        label: shown,
        isChosen: name === current,
        onSelect: () => usePicks.setState({ model: name }),
      }))}
    />
  );
}

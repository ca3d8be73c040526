// The gateway's tools with their kinds, its profiles and models. They are read once, and stay empty where that fails.
import type { AgentRole, ModelName, SlashCommand } from '@codelab/api';
import type { Kind } from '@codelab/protocol';
import { useEffect } from 'react';
import { create } from 'zustand';
import { api } from '../../../api/api.ts';
import { useConnection } from '../../../session/session-store.ts';

type Catalogue = {
  isAsked: boolean;
  kinds: ReadonlyMap<string, Kind>;
  agents: readonly AgentRole[];
  defaultAgent: string;
  models: readonly ModelName[];
  currentModel: string;
  /** The user's own commands, those of the workspace, and skills. */
  commands: readonly SlashCommand[];
};

export const useCatalogue = create<Catalogue>(() => ({
  isAsked: false,
  kinds: new Map(),
  agents: [],
  defaultAgent: '',
  models: [],
  currentModel: '',
  commands: [],
}));

export function useLoadCatalogue(): void {
  const connection = useConnection();
  // A gateway that could not say is asked again when it is back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the connection is the occasion.
  useEffect(() => {
    if (useCatalogue.getState().isAsked) return;
    useCatalogue.setState({ isAsked: true });
    void loadCatalogue();
  }, [connection]);
}

export async function loadCatalogue(): Promise<void> {
  const [tools, agents, models] = await Promise.allSettled([
    api.catalogue.tools(),
    api.catalogue.agents(),
    api.settings.models(),
  ]);
  const isWhole = [tools, agents, models].every(({ status }) => status === 'fulfilled');
  if (!isWhole) useCatalogue.setState({ isAsked: false });
  if (tools.status === 'fulfilled')
    useCatalogue.setState({ kinds: new Map(tools.value.tools.map(({ name, kind }) => [name, kind])) });
  if (agents.status === 'fulfilled')
    useCatalogue.setState({ agents: agents.value.agents, defaultAgent: agents.value.default });
  if (models.status === 'fulfilled')
    useCatalogue.setState({ models: models.value.models, currentModel: models.value.current });
}

/** Read when somebody is about to use one: a file for it may just have been written. */
export async function loadCommands(): Promise<void> {
  const found = await api.catalogue.commands().catch(() => undefined);
  if (found !== undefined) useCatalogue.setState({ commands: found.commands });
}

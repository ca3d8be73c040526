// Values that only this machine knows: sessions, models, profiles, settings, tools. Completion uses no network.
import { providers } from '@codelab/agent';
import { visibleLine } from '@codelab/protocol';
import { catalogue } from '@codelab/runtime';
import { configKeys, defaultHome, profileSource } from '@codelab/server';
import { findSessions, shortId } from '../audit/find-sessions.ts';
import { openLog } from '../audit/open-log.ts';
import { realRoot } from '../command-line/define-command.ts';
import { modelChoice, modelPlaces } from '../model/model-store.ts';
import { shells } from './shell-scripts.ts';

export type CompletionValue = { value: string; hint?: string };

export type ValueKind = 'sessions' | 'models' | 'profiles' | 'settings' | 'tools' | 'shells';

const mostSessions = 30;

/** Returns no values when they can't be read: a completion prints no errors. */
export async function findValues(kind: ValueKind, workspace: string): Promise<CompletionValue[]> {
  try {
    return await valuesOf[kind](workspace);
  } catch {
    return [];
  }
}

const valuesOf: Record<ValueKind, (workspace: string) => Promise<CompletionValue[]> | CompletionValue[]> = {
  async sessions(workspace) {
    await using log = await openLog();
    const all = await log.sessions();
    const sessions = (await findSessions(log, { root: realRoot(workspace) })).slice(0, mostSessions);
    return await Promise.all(
      sessions.map(async ({ id }) => {
        const events = await log.read(id, { limit: 50 });
        const firstTurn = events.find(({ body }) => body.type === 'turn.started')?.body;
        const hint =
          firstTurn?.type === 'turn.started' ? visibleLine(firstTurn.text).slice(0, 60) : 'calls only';
        return { value: shortId(id, all), hint };
      }),
    );
  },
  models(workspace) {
    const { named, implied, sources } = modelChoice(modelPlaces(workspace));
    const ownProviders = Object.keys(sources.own ?? {});
    const readyProviders = providers
      .filter(({ name, keys }) => ownProviders.includes(name) || keys.some((key) => sources.env[key]))
      .flatMap(({ name, model, prices }) =>
        [...(model === undefined ? [] : [model]), ...Object.keys(prices ?? {})].map(
          (model) => `${name}/${model}`,
        ),
      );
    const names = [...(named ? [named] : []), ...(implied ? [implied] : []), ...readyProviders, 'demo'];
    return [...new Set(names)].map((value) => ({ value }));
  },
  async profiles(workspace) {
    const source = profileSource({ home: defaultHome(), root: realRoot(workspace), isTrusted: false });
    return (await source.all()).map(({ name, summary }) => ({ value: name, hint: visibleLine(summary) }));
  },
  settings: () => configKeys().map((value) => ({ value })),
  tools: () => catalogue.map(({ name, summary }) => ({ value: name, hint: summary })),
  shells: () => shells.map((value) => ({ value })),
};

// Which model and whose keys the gateway uses: what was set from a screen counts more than the environment, and holds from the next turn on.
import { chooseModel, openModel } from '@codelab/agent';
import { type KeysFile, readKeysFile, writeKeysFile } from '../../config/state-file.ts';

export const keyVariables = { openai: 'OPENAI_API_KEY', anthropic: 'ANTHROPIC_API_KEY' } as const;
export const urlVariables = {
  openai: 'OPENAI_BASE_URL',
  anthropic: 'ANTHROPIC_BASE_URL',
  ollama: 'OLLAMA_HOST',
} as const;

type Given<Name extends string> = { [name in Name]?: string | null | undefined };

/** Null takes back what was set, so that the environment counts again. */
type ModelChange = {
  model?: string | null | undefined;
  keys?: Given<keyof typeof keyVariables> | undefined;
  base_urls?: Given<keyof typeof urlVariables> | undefined;
};

export type ModelSettings = {
  /** The model of turns that name none. */
  readonly model: string;
  /** The environment with what was set: whoever opens models reads it at that time. */
  readonly env: NodeJS.ProcessEnv;
  /** Throws when the model can't be opened with what is set then; nothing has changed in that case. */
  change(wanted: ModelChange): Promise<void>;
};

type Options = {
  home: string;
  /** Changed in place, so that all who hold it see the same. */
  env: NodeJS.ProcessEnv;
  /** Named when the gateway was started: it counts until another one is chosen. */
  model?: string | undefined;
};

export function openModelSettings({ home, env, model }: Options): ModelSettings {
  const own = { ...env };
  put(env, own, readKeysFile(home), model);
  return {
    env,
    get model() {
      return chooseModel({ env }) ?? 'demo';
    },
    async change(wanted) {
      const tried = { ...env };
      put(tried, own, merge(readKeysFile(home), wanted));
      if (typeof wanted.model === 'string') await openModel(wanted.model, { env: tried });
      // Read once more: somebody else may have changed something meanwhile.
      const next = merge(readKeysFile(home), wanted);
      writeKeysFile(home, next);
      if (wanted.model !== undefined) model = undefined;
      put(env, own, next, model);
    },
  };
}

function put(
  env: NodeJS.ProcessEnv,
  own: NodeJS.ProcessEnv,
  { keys, base_urls, model }: KeysFile,
  named?: string,
): void {
  const set = (variable: string, value: string | undefined): void => {
    const now = value ?? own[variable];
    if (now === undefined) delete env[variable];
    else env[variable] = now;
  };
  for (const [name, variable] of Object.entries(keyVariables)) set(variable, keys[name]);
  for (const [name, variable] of Object.entries(urlVariables)) set(variable, base_urls[name]);
  set('CODELAB_MODEL', named ?? model);
}

function merge(kept: KeysFile, { model, keys = {}, base_urls = {} }: ModelChange): KeysFile {
  const { model: before, ...rest } = kept;
  const chosen = model === undefined ? before : (model ?? undefined);
  return {
    ...rest,
    ...(chosen !== undefined && { model: chosen }),
    keys: withChanges(kept.keys, keys),
    base_urls: withChanges(kept.base_urls, base_urls),
  };
}

function withChanges(kept: Record<string, string>, given: Given<string>): Record<string, string> {
  const all = Object.entries({ ...kept, ...given });
  return Object.fromEntries(all.flatMap(([name, value]) => (value == null ? [] : [[name, value]])));
}

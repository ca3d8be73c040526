// Which model when nobody named one: CODELAB_MODEL, else the usual one of a provider whose key is in the environment.
import { ToolError } from '@codelab/protocol';
import type { ModelSources } from './connection.ts';
import { providers } from './providers.ts';

/** Undefined: there is none, and somebody must choose. A server of one's own says nothing about which model is meant. */
export function chooseModel({ env, own = {} }: ModelSources): string | undefined {
  if (env.CODELAB_MODEL) return env.CODELAB_MODEL;
  const found = providers.find(
    ({ name, model, keys, urls }) =>
      model !== undefined &&
      (own[name]?.key !== undefined || keys.some((key) => env[key]?.trim())) &&
      own[name]?.base_url === undefined &&
      !urls.some((url) => env[url]?.trim()),
  );
  return found && `${found.name}/${found.model}`;
}

export function noModelChosen(): ToolError {
  return new ToolError(
    'LLM_ERROR',
    'No model is chosen. `codelab model use` chooses one, `codelab model add PROVIDER` gives a key; --model PROVIDER/NAME or CODELAB_MODEL name one, and --model demo plays a script without AI.',
    { reason: 'no_model' },
  );
}

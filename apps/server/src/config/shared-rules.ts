// Remembered rules that several gateways share: one list for the user and one for each workspace, in a store that reports every change.
import { type Rule, ToolError } from '@codelab/protocol';
import { type RuleSource, sha256 } from '@codelab/runtime';
import { parseRules } from './rules-file.ts';

type Store = {
  get(key: string): Promise<{ text: string; revision: number } | undefined>;
  put(key: string, text: string, revision: number): Promise<number | undefined>;
  watch(listener: (key: string, text: string | undefined) => void): () => void;
};

type KeptScope = 'user' | 'workspace';

export type SharedRules = {
  /** The rules of the files with the shared ones, when either have changed; throws when they can't be read. */
  reload(): readonly RuleSource[] | undefined;
  keep(scope: KeptScope, rule: Rule): Promise<void>;
  /** Returns whether there was such a rule. */
  drop(scope: KeptScope, id: string): Promise<boolean>;
};

/** `workspace`: its folder; the same name means the same rules at every gateway. */
export async function openSharedRules(
  store: Store,
  workspace: string,
  files: { sources: readonly RuleSource[]; reload(): readonly RuleSource[] | undefined },
): Promise<SharedRules> {
  const keys: Record<KeptScope, string> = { user: 'rules.user', workspace: `rules.${sha256(workspace)}` };
  const texts = new Map<string, string>();
  let ownSources = files.sources;
  let isChanged = true;
  // Watching starts before the rules are read, so that no change is missed.
  const note = (key: string, text = '[]'): void => {
    if (!Object.values(keys).includes(key) || texts.get(key) === text) return;
    texts.set(key, text);
    isChanged = true;
  };
  store.watch(note);
  for (const key of Object.values(keys)) note(key, (await store.get(key))?.text);

  async function change(scope: KeptScope, edit: (rules: Rule[]) => Rule[]): Promise<void> {
    for (;;) {
      const entry = await store.get(keys[scope]);
      const text = JSON.stringify(edit(rulesIn(entry?.text)));
      if ((await store.put(keys[scope], text, entry?.revision ?? 0)) === undefined) continue;
      note(keys[scope], text);
      return;
    }
  }

  return {
    reload() {
      const fresh = files.reload();
      if (fresh === undefined && !isChanged) return undefined;
      ownSources = fresh ?? ownSources;
      isChanged = false;
      return [...ownSources, ...layers.map((layer) => sourceOf(layer, texts.get(keys[layer])))];
    },
    keep: (scope, rule) => change(scope, (rules) => [...rules.filter(({ id }) => id !== rule.id), rule]),
    async drop(scope, id) {
      let wasThere = false;
      await change(scope, (rules) => {
        wasThere = rules.some((rule) => rule.id === id);
        return rules.filter((rule) => rule.id !== id);
      });
      return wasThere;
    },
  };
}

const layers = ['user', 'workspace'] as const;

function sourceOf(layer: KeptScope, text: string | undefined): RuleSource {
  return { layer, rules: rulesIn(text), isKept: true };
}

function rulesIn(text = '[]'): Rule[] {
  const rules = parseRules(text);
  if (rules !== undefined) return rules;
  throw new ToolError(
    'INVALID_ARGUMENTS',
    'The rules that the gateways share are not a list of rules; remove their entry of the KV bucket and remember them again.',
  );
}

// Laws of the text of a configuration file: one setting is changed, everything else stays, and a line number is the right one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineOf, withoutSetting, withSetting } from '../../apps/server/src/config/jsonc-text.ts';
import { parseJsonc } from '../../apps/server/src/config/state-file.ts';

type Settings = { [key: string]: Settings | string | number | boolean | (string | number)[] };

const key = fc.constantFrom('a', 'b', 'c', 'd é', '"q"', 'x/*y', '//z');
const leaf = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.integer(),
  fc.boolean(),
  fc.array(fc.oneof(fc.integer(), fc.constant('/* no comment */')), { maxLength: 3 }),
);
const settings = fc.letrec<{ tree: Settings }>((tie) => ({
  tree: fc.dictionary(key, fc.oneof({ depthSize: 'small' }, leaf, tie('tree')), {
    maxKeys: 4,
  }) as fc.Arbitrary<Settings>,
})).tree;

/** The same as JSON with comments and, where they are wanted, trailing commas. */
function commented(value: unknown, { isOpen, hasCommas }: { isOpen: boolean; hasCommas: boolean }): string {
  const lines = JSON.stringify(value, null, isOpen ? 2 : 0).split('\n');
  const noted = lines.map((line) => (isOpen ? `${line} // "note": {` : `/* , } */${line}`));
  const text = `/* head\n */${noted.join('\n')}\n`;
  return hasCommas && isOpen ? text.replaceAll(/([\w"\]}]) (\/\/ "note": \{\n\s*[}\]])/g, '$1, $2') : text;
}

const shape = fc.record({ isOpen: fc.boolean(), hasCommas: fc.boolean() });
const path = fc.array(key, { minLength: 1, maxLength: 3 });

function changed(tree: Settings, [first = '', ...rest]: readonly string[], value: unknown): unknown {
  if (rest.length === 0) return { ...tree, [first]: value };
  const inner = tree[first] ?? {};
  return { ...tree, [first]: changed(inner as Settings, rest, value) };
}

function canHold(tree: unknown, steps: readonly string[]): boolean {
  const isObject = typeof tree === 'object' && tree !== null && !Array.isArray(tree);
  const [first] = steps;
  if (first === undefined || tree === undefined) return true;
  return isObject && canHold((tree as Settings)[first], steps.slice(1));
}

test('setting changes one value and no other; comments stay', () => {
  fc.assert(
    fc.property(settings, shape, path, leaf, (tree, layout, steps, value) => {
      fc.pre(canHold(tree, steps));
      const text = commented(tree, layout);
      const after = withSetting(text, steps, value);
      expect(parseJsonc(after, 'x')).toEqual(changed(tree, steps, value));
      expect(after).toContain('/* head');
      expect(JSON.stringify(value)).toContain(
        after.split('\n')[lineOf(after, steps) - 1]?.match(/-?\d+$/)?.[0] ?? '',
      );
      expect(withSetting(after, steps, value)).toBe(after);
    }),
  );
});

test('what was set anew and is unset again is gone; what was never there changes nothing', () => {
  fc.assert(
    fc.property(settings, shape, leaf, (tree, layout, value) => {
      const text = commented(tree, layout);
      expect(withoutSetting(text, ['new'])).toBeUndefined();
      const without = withoutSetting(withSetting(text, ['new'], value), ['new']);
      expect(parseJsonc(without ?? '', 'x')).toEqual(tree);
    }),
  );
});

test('the line is that of the setting’s name, or of the deepest part that is there', () => {
  const text =
    '{\n  // "policy"\n  "policy": {\n    "mode": "strict",\n    "rules": [\n      {},\n      {"id": 1}]\n  }\n}\n';
  const lines = [
    ['policy'],
    ['policy', 'mode'],
    ['policy', 'rules', 1, 'id'],
    ['policy', 'none'],
    ['none'],
  ].map((one) => lineOf(text, one));
  expect(lines).toEqual([3, 4, 7, 3, 1]);
});

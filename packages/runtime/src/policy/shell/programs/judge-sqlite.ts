// `sqlite3 DB 'SELECT …'`: what its statements and its own commands do, as far as their words say.
import { phrase } from '@codelab/protocol';
import type { Argument } from '../argument.ts';
import { asks, asksUnlessHeld, type Judgement, strictest } from '../judgement.ts';
import { touchPlaces } from '../places/touch-places.ts';
import type { Scene } from '../scene.ts';
import { readsSettings } from './judge-looking.ts';

const sqliteOptions = {
  flags:
    /^-{1,2}(readonly|header|noheader|column|csv|json|line|list|html|markdown|table|box|quote|tabs|bail|batch)$/,
  valued: /^-{1,2}(separator|nullvalue|newline)$/,
};
const dotCommands =
  /^\.(tables|schema|fullschema|indexes|indices|databases|dbinfo|dump|headers?|mode|width|nullvalue|separator|show)( [\w%'" |,-]*)?$/;
const changing =
  /\b(attach|detach|load_extension|writefile|readfile|edit|fts3_tokenizer|fsdir|zipfile|vacuum|insert|update|delete|create|drop|alter|reindex|analyze|begin|commit|savepoint|release|into)\b/i;

/** `sqlite3 DB 'SELECT …'`: read-only as far as its statements say; without `-readonly` it may still finish somebody's transaction. */
export function judgeSqlite(args: readonly Argument[], scene: Scene): Judgement {
  const operands: Argument[] = [];
  let isReadOnly = false;
  for (let i = 0; i < args.length; i++) {
    const word = args[i];
    if (word?.kind !== 'exact') return asksUnlessHeld(phrase('program.script', { name: 'sqlite3' }));
    if (sqliteOptions.valued.test(word.value)) i++;
    else if (sqliteOptions.flags.test(word.value)) isReadOnly ||= word.value.endsWith('readonly');
    else if (word.value.startsWith('-'))
      return asksUnlessHeld(phrase('sqlite.option', { option: word.text }));
    else operands.push(word);
  }
  const [database, ...statements] = operands;
  if (database === undefined || statements.length === 0) return asksUnlessHeld(phrase('sqlite.input'));
  const started = statements.find(({ value }) => mayStart(value));
  if (started) return asksUnlessHeld(phrase('sqlite.starts', { word: started.text }));
  const changed = statements.find(({ value }) => !isQuery(value));
  if (changed || database.value.startsWith('file:')) return asks(phrase('sqlite.changes'), 'high');
  const against = database.value === ':memory:' ? [] : touchPlaces([database], 'read', scene);
  const own = readsSettings(phrase(isReadOnly ? 'sqlite.asks' : 'sqlite.finishes'));
  return strictest([own, ...against]);
}

// Some commands of its own, such as `.shell`, and some functions reach further than the database.
function mayStart(text: string): boolean {
  const bare = text.trim();
  return bare.startsWith('.')
    ? !dotCommands.test(bare)
    : /load_extension|writefile|edit|fsdir|readfile|zipfile|sha3|fts3_tokenizer|eval/i.test(bare) ||
        !callsOnlyKnown(bare);
}

const knownFunctions = new Set(
  `count sum total avg min max group_concat string_agg length lower upper substr substring trim ltrim rtrim replace instr coalesce
ifnull nullif iif abs round date time datetime julianday strftime unixepoch printf format hex quote typeof cast json json_extract
json_each json_tree json_array_length json_type json_object json_array json_valid row_number rank dense_rank lag lead ntile
first_value last_value pragma_table_info over in exists values as select with using on and or not then else when case from join where
having by limit offset distinct all union between like glob is filter table_info table_xinfo table_list index_list index_info
foreign_key_list database_list compile_options`.split(/\s+/),
);

/** Functions of extensions can start programs and write files, also under a quoted name. */
function callsOnlyKnown(text: string): boolean {
  const code = text.replace(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:''|[^'])*'/g, ' ');
  const called = [...code.matchAll(/([\w"\]`]+)\s*\(/g)].map(([, name = '']) => name.toLowerCase());
  return called.every((name) => knownFunctions.has(name));
}

function isQuery(text: string): boolean {
  const bare = text.trim();
  if (bare.startsWith('.')) return dotCommands.test(bare);
  // Where a comment or a text ends decides what the rest is, so both are read in one go.
  const code = bare.replace(
    /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:''|[^'])*'|"(?:""|[^"])*"|\[[^\]]*\]|`[^`]*`/g,
    (found) => (/^(--|\/\*)/.test(found) ? ' ' : 'x'),
  );
  const statements = code.split(';').map((one) => one.trim());
  return statements.every(
    (one) =>
      one === '' ||
      (/^(select|with|values|explain|pragma\s+(table_info|table_xinfo|table_list|index_list|index_info|foreign_key_list|database_list|compile_options)\b[^=]*$|pragma\s+user_version$)/i.test(
        one,
      ) &&
        !changing.test(one) &&
        !/\n\s*\./.test(one)),
  );
}

// Whether what is written to a running command would be carried out as code: then writing is running a command.
import type { CommandPart } from '@codelab/protocol';

const shells =
  /^(?:.*sh|fish|pwsh|busybox|nu|xonsh|screen|tmux|script|expect|su|sudo|ssh|docker|kubectl|podman|nc|socat|telnet)$/;
const interpreters =
  /^(?:python|pypy|ipython|node|nodejs|deno|bun|tsx|ruby|irb|perl|php|lua|luajit|R|Rscript|julia|ghci|scala|jshell|elixir|iex|erl|clojure|sbcl|guile|racket|tclsh|wish|awk|gawk|mawk|bc|dc|gdb|lldb|psql|mysql|mariadb|sqlite3?|mongo|mongosh|redis-cli|ed|ex|vim?|nvim|emacs|xargs|parallel|make|at|batch)[\d.]*$/;

export function isInterpreter(parts: readonly CommandPart[]): boolean {
  // What only running would tell may be anything; a wrapper such as `env` or `timeout` has it further back.
  return parts.some(({ words, isDynamic }) => isDynamic || words.length === 0 || words.some(takesCode));
}

function takesCode(word: string): boolean {
  const name = word.split('/').at(-1) ?? '';
  return shells.test(name) || interpreters.test(name);
}

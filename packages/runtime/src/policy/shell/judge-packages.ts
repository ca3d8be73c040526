// Package managers: what they download and which scripts they run is never seen in the line.
import type { Argument } from './argument.ts';
import { allows, asks, type Finding, insists } from './finding.ts';
import { readOptions } from './options.ts';

const managers = new Set(
  'npm pnpm yarn bun pip pip3 pipx poetry uv conda gem bundle composer cargo go corepack'.split(' '),
);

const runs =
  /^(run|run-script|test|t|tst|start|stop|restart|build|check|clippy|fmt|vet|bench|doc|tree|metadata|lint|version|clean|list|show|freeze)$/;
const outgoing =
  /^(install|i|ci|add|update|upgrade|up|get|mod|download|sync|exec|x|dlx|create|init|link|rebuild|publish|login|logout|adduser|whoami|ping|view|v|info|search|outdated|audit|fund|owner|token|team|access|dist-tag|deprecate|config|set|c|cache|prefix-set|remove|rm|uninstall|un|dedupe|prune|pack|import|global|tool|self|env|remote|require|generate)$/;

export function isPackageManager(name: string): boolean {
  return managers.has(name);
}

export function judgePackages(name: string, args: readonly Argument[]): Finding {
  const words = args.filter(({ kind, value }) => kind === 'exact' && !value.startsWith('-'));
  const [first] = words;
  const steered = args.find(
    ({ kind, value }) =>
      kind !== 'exact' ||
      /^(-C|-c|--prefix|--cwd|--dir|--script-shell|--node-options|--call|--manifest-path|--config|--userconfig|--globalconfig|--exec|-exec|-toolexec)\b/.test(
        value,
      ),
  );
  if (steered) return insists(`${steered.text} lets it work elsewhere or start something else.`, 'critical');
  const command = first?.value ?? '';
  if (name === 'npm' && /^(ls|list|ll|root|prefix)$/.test(command)) return judgeListing(args);
  if (outgoing.test(command) || command === '')
    return insists('Reaches the network, or runs scripts of packages and of this repository.', 'high');
  const reason = `Runs scripts from this repository.`;
  return runs.test(command) || name === 'cargo' || name === 'go' || name === 'yarn' || name === 'pnpm'
    ? asks(reason, 'high')
    : insists(reason, 'high');
}

function judgeListing(args: readonly Argument[]): Finding {
  const { fault } = readOptions(args, {
    flags: 'alp',
    long: 'all json long parseable production',
    longValues: 'depth omit include',
  });
  return fault ? asks(fault.reason) : allows('Only lists packages.');
}

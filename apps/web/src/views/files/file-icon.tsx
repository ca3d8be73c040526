// A picture for a file by what its name ends with.
import {
  Braces,
  FileCode,
  FileCog,
  File as FileIconPlain,
  FileText,
  Folder,
  FolderOpen,
  Image,
  type LucideIcon,
} from 'lucide-react';
import { cx } from '../../ui/cx.ts';

const kinds: readonly [RegExp, LucideIcon, string][] = [
  [/\.(ts|tsx|mts|cts)$/i, FileCode, 'text-accent'],
  [/\.(js|jsx|mjs|cjs)$/i, FileCode, 'text-warn'],
  [/\.(py|go|rs|java|c|h|cpp|rb|php|sh|bash|zsh|html?|vue|svelte|sql)$/i, FileCode, 'text-good'],
  [/\.(css|scss|less)$/i, FileCode, 'text-high'],
  [/\.(json|jsonc|ya?ml|toml|xml)$/i, Braces, 'text-warn'],
  [/\.(md|mdx|txt|rst|adoc)$/i, FileText, 'text-muted'],
  [/\.(png|jpe?g|gif|svg|webp|ico|avif)$/i, Image, 'text-high'],
  [/^\.|\.(env|ini|conf|cfg|lock)$/i, FileCog, 'text-faint'],
];

type Props = { name: string; isFolder?: boolean; isOpen?: boolean };

export function FileIcon({ name, isFolder = false, isOpen = false }: Props) {
  const [, Icon, color] = isFolder
    ? ([undefined, isOpen ? FolderOpen : Folder, 'text-accent'] as const)
    : (kinds.find(([ending]) => ending.test(name)) ?? ([undefined, FileIconPlain, 'text-faint'] as const));
  return <Icon aria-hidden className={cx('size-4 shrink-0', color)} />;
}

// A picture for each kind of call.
import type { Kind } from '@codelab/protocol';
import {
  CircleQuestionMark,
  FileInput,
  FilePen,
  FileText,
  type LucideIcon,
  Search,
  Sparkles,
  SquareTerminal,
  Trash2,
} from 'lucide-react';

export const kindIcons: Readonly<Record<Kind, LucideIcon>> = {
  read: FileText,
  edit: FilePen,
  delete: Trash2,
  move: FileInput,
  search: Search,
  execute: SquareTerminal,
  ask: CircleQuestionMark,
  think: Sparkles,
};

// What a line of a menu says and does.
import type { ReactNode } from 'react';

export type MenuItem = {
  id: string;
  label: string;
  hint?: string | undefined;
  icon?: ReactNode;
  shortcut?: string | undefined;
  isChosen?: boolean;
  isDanger?: boolean;
  isDisabled?: boolean;
  onSelect(): void;
};

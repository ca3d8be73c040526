// Every view of the app. A view is a folder below `views/` and one line here; its code is loaded when it is first shown.
import {
  BellRing,
  ChartColumn,
  FileDiff,
  FileText,
  FolderTree,
  GitCompareArrows,
  History,
  Layers,
  ListTodo,
  MessagesSquare,
  ScrollText,
  Settings,
  SquareTerminal,
} from 'lucide-react';
import { lazy } from 'react';
import type { View } from './view.ts';
import { useWaitingCount } from './views/approval/waiting-elsewhere.ts';
import { useChangeCount } from './views/changes/use-change-count.ts';
import { useContextCount } from './views/context/use-context-count.ts';
import { useIsDirty } from './views/editor/dirty-store.ts';
import { useTodoCount } from './views/todo/use-todo-count.ts';

export const views: readonly View[] = [
  {
    id: 'conversation',
    label: ({ conversation }) => conversation.name,
    icon: MessagesSquare,
    place: 'main',
    component: lazy(async () => ({
      default: (await import('./views/conversation/conversation.tsx')).Conversation,
    })),
  },
  {
    id: 'files',
    label: ({ files }) => files.name,
    icon: FolderTree,
    place: 'left',
    component: lazy(async () => ({ default: (await import('./views/files/files.tsx')).Files })),
  },
  {
    id: 'sessions',
    label: ({ sessions }) => sessions.name,
    icon: History,
    place: 'left',
    component: lazy(async () => ({ default: (await import('./views/sessions/sessions.tsx')).Sessions })),
  },
  {
    id: 'file',
    label: ({ editor }) => editor.name,
    icon: FileText,
    place: 'main',
    component: lazy(async () => ({ default: (await import('./views/editor/editor.tsx')).Editor })),
    useIsDirty,
  },
  {
    id: 'todo',
    label: ({ todo }) => todo.name,
    icon: ListTodo,
    place: 'side',
    component: lazy(async () => ({ default: (await import('./views/todo/todo.tsx')).Todo })),
    useCount: useTodoCount,
  },
  {
    id: 'context',
    label: ({ context }) => context.name,
    icon: Layers,
    place: 'side',
    component: lazy(async () => ({ default: (await import('./views/context/context.tsx')).Context })),
    useCount: useContextCount,
  },
  {
    id: 'processes',
    label: ({ processes }) => processes.name,
    icon: SquareTerminal,
    place: 'side',
    component: lazy(async () => ({ default: (await import('./views/processes/processes.tsx')).Processes })),
  },
  {
    id: 'terminal',
    label: ({ processes }) => processes.terminal,
    icon: SquareTerminal,
    place: 'main',
    component: lazy(async () => ({ default: (await import('./views/processes/terminal.tsx')).Terminal })),
  },
  {
    id: 'changes',
    label: ({ changes }) => changes.name,
    icon: GitCompareArrows,
    place: 'side',
    component: lazy(async () => ({ default: (await import('./views/changes/changes.tsx')).Changes })),
    useCount: useChangeCount,
  },
  {
    id: 'audit',
    label: ({ audit }) => audit.name,
    icon: ScrollText,
    place: 'side',
    component: lazy(async () => ({ default: (await import('./views/audit/audit.tsx')).Audit })),
  },
  {
    id: 'change',
    label: ({ changes }) => changes.one,
    icon: GitCompareArrows,
    place: 'main',
    component: lazy(async () => ({
      default: (await import('./views/changes/change-detail.tsx')).ChangeDetail,
    })),
  },
  {
    id: 'waiting',
    label: ({ approval }) => approval.name,
    icon: BellRing,
    place: 'left',
    component: lazy(async () => ({ default: (await import('./views/approval/waiting.tsx')).Waiting })),
    head: lazy(async () => ({
      default: (await import('./views/approval/notices.tsx')).NotifyButton,
    })),
    useCount: useWaitingCount,
  },
  {
    id: 'review',
    label: ({ review }) => review.name,
    icon: FileDiff,
    place: 'main',
    component: lazy(async () => ({ default: (await import('./views/review/review.tsx')).Review })),
  },
  {
    id: 'audit-large',
    label: ({ audit }) => audit.name,
    icon: ScrollText,
    place: 'main',
    component: lazy(async () => ({ default: (await import('./views/audit/audit-large.tsx')).AuditLarge })),
  },
  {
    id: 'usage',
    label: ({ usage }) => usage.name,
    icon: ChartColumn,
    place: 'main',
    isInRail: true,
    component: lazy(async () => ({ default: (await import('./views/usage/usage.tsx')).Usage })),
  },
  {
    id: 'settings',
    label: ({ settings }) => settings.name,
    icon: Settings,
    place: 'main',
    isInRail: true,
    component: lazy(async () => ({ default: (await import('./views/settings/settings.tsx')).Settings })),
  },
];

export function findView(id: string): View | undefined {
  return views.find((view) => view.id === id);
}

// Every view of the app. A view is a folder below `views/` and one line here; its code is loaded when it is first shown.
import {
  BellRing,
  ChartColumn,
  Eye,
  FileDiff,
  FileText,
  FolderTree,
  GitCompareArrows,
  History,
  Layers,
  ListTodo,
  MessagesSquare,
  ScrollText,
  Search,
  Settings,
  SquareTerminal,
  Terminal as TerminalIcon,
} from 'lucide-react';
import { fromFirstView } from './from-first-view.ts';
import { loadView, type View } from './view.ts';
import { useChangeCount, useContextCount, useTodoCount } from './view-counts.ts';
import { useWaitingCount } from './views/approval/other-sessions-waiting.ts';
import { useIsDirty } from './views/editor/dirty-store.ts';

export const views: readonly View[] = [
  {
    id: 'conversation',
    label: ({ conversation }) => conversation.name,
    icon: MessagesSquare,
    place: 'main',
    component: fromFirstView(({ ConversationView }) => ConversationView),
  },
  {
    id: 'files',
    label: ({ files }) => files.name,
    icon: FolderTree,
    place: 'left',
    component: fromFirstView(({ FilesView }) => FilesView),
  },
  {
    id: 'search',
    label: ({ search }) => search.name,
    icon: Search,
    place: 'left',
    component: loadView(async () => ({ default: (await import('./views/search/search.tsx')).SearchView })),
  },
  {
    id: 'sessions',
    label: ({ sessions }) => sessions.name,
    icon: History,
    place: 'left',
    component: loadView(async () => ({
      default: (await import('./views/sessions/sessions.tsx')).SessionsView,
    })),
  },
  {
    id: 'file',
    label: ({ editor }) => editor.name,
    icon: FileText,
    place: 'main',
    component: loadView(async () => ({ default: (await import('./views/editor/editor.tsx')).EditorView })),
    useIsDirty,
  },
  {
    id: 'todo',
    label: ({ todo }) => todo.name,
    icon: ListTodo,
    place: 'side',
    component: fromFirstView(({ TodoView }) => TodoView),
    useCount: useTodoCount,
  },
  {
    id: 'context',
    label: ({ context }) => context.name,
    icon: Layers,
    place: 'side',
    component: loadView(async () => ({
      default: (await import('./views/context/context.tsx')).ContextView,
    })),
    useCount: useContextCount,
  },
  {
    id: 'processes',
    label: ({ processes }) => processes.name,
    icon: SquareTerminal,
    place: 'side',
    component: loadView(async () => ({
      default: (await import('./views/processes/processes.tsx')).ProcessesView,
    })),
  },
  {
    id: 'terminal',
    label: ({ processes }) => processes.terminal,
    icon: SquareTerminal,
    place: 'main',
    component: loadView(async () => ({
      default: (await import('./views/processes/terminal.tsx')).ProcessTerminalView,
    })),
  },
  {
    id: 'terminals',
    label: ({ terminals }) => terminals.name,
    icon: TerminalIcon,
    place: 'bottom',
    component: loadView(async () => ({
      default: (await import('./views/terminals/terminals.tsx')).Terminals,
    })),
  },
  {
    id: 'changes',
    label: ({ changes }) => changes.name,
    icon: GitCompareArrows,
    place: 'side',
    component: loadView(async () => ({
      default: (await import('./views/changes/changes.tsx')).ChangesView,
    })),
    useCount: useChangeCount,
  },
  {
    id: 'audit',
    label: ({ audit }) => audit.name,
    icon: ScrollText,
    place: 'side',
    component: loadView(async () => ({ default: (await import('./views/audit/audit.tsx')).AuditView })),
  },
  {
    id: 'change',
    label: ({ changes }) => changes.one,
    icon: GitCompareArrows,
    place: 'main',
    component: loadView(async () => ({
      default: (await import('./views/changes/change-detail.tsx')).ChangeDetailView,
    })),
  },
  {
    id: 'waiting',
    label: ({ approval }) => approval.name,
    icon: BellRing,
    place: 'left',
    component: loadView(async () => ({
      default: (await import('./views/approval/waiting.tsx')).WaitingView,
    })),
    head: loadView(async () => ({
      default: (await import('./views/approval/notices/notices.tsx')).NotifyButton,
    })),
    useCount: useWaitingCount,
  },
  {
    id: 'review',
    label: ({ review }) => review.name,
    icon: FileDiff,
    place: 'main',
    component: loadView(async () => ({
      default: (await import('./views/review/review.tsx')).ApprovalReviewView,
    })),
  },
  {
    id: 'session-review',
    label: ({ review }) => review.name,
    icon: Eye,
    place: 'main',
    isWholeWindow: true,
    component: loadView(async () => ({
      default: (await import('./views/session-review/session-review.tsx')).SessionReviewView,
    })),
  },
  {
    id: 'audit-large',
    label: ({ audit }) => audit.name,
    icon: ScrollText,
    place: 'main',
    component: loadView(async () => ({
      default: (await import('./views/audit/audit.tsx')).AuditTabView,
    })),
  },
  {
    id: 'usage',
    label: ({ usage }) => usage.name,
    icon: ChartColumn,
    place: 'main',
    isInRail: true,
    component: loadView(async () => ({ default: (await import('./views/usage/usage.tsx')).UsageView })),
  },
  {
    id: 'settings',
    label: ({ settings }) => settings.name,
    icon: Settings,
    place: 'main',
    isInRail: true,
    component: loadView(async () => ({
      default: (await import('./views/settings/settings.tsx')).SettingsView,
    })),
  },
];

export function findView(id: string): View | undefined {
  return views.find((view) => view.id === id);
}

// Words of the frame: bars, panels, palette, connection.
import { plural } from '../plural.ts';

export const enFrame = {
  bar: {
    name: 'Session status',
    mode: 'Show the mode in the conversation',
    plan: 'Plan',
    model: 'Model',
    context: 'Context in use',
    cost: 'Cost of this session',
    branch: 'Git branch',
    changes: 'Review all changes',
  },
  skipToConversation: 'Skip to the conversation',
  skipToPanel: 'Skip to the side panel',
  explorer: 'Explorer',
  main: 'Workspace',
  sidePanel: 'Side panel',
  openTabs: 'Open tabs',
  closeTab: (name: string) => `Close ${name}`,
  places: 'Places',
  more: 'More',
  resizeLeft: 'Width of the explorer',
  resizeRight: 'Width of the side panel',
  showLeft: 'Show or hide the explorer',
  showRight: 'Show or hide the side panel',
  palette: 'Command palette',
  paletteSearch: 'Find a command…',
  paletteNone: 'No matching commands.',
  shortcuts: 'Keyboard shortcuts',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  language: 'Language',
  newSession: 'New session',
  untitled: 'New session',
  status: {
    noModel: 'No model',
    idle: 'Ready',
    thinking: 'Thinking…',
    executing_tool: 'Working…',
    waiting_approval: 'Waiting for you',
    error: 'Stopped with an error',
  },
  connection: {
    loading: 'Loading the session…',
    lost: 'Connection lost, reconnecting. What you type is kept.',
    gone: 'This session cannot be opened:',
  },
  approvalsWaiting: (count: number) =>
    plural('en', count, { one: '# approval waiting', other: '# approvals waiting' }),
  signedOut: 'You are signed out.',
  signIn: 'Sign in',
  signOut: 'Sign out',
  viewFailed: 'This view could not be shown.',
  tryAgain: 'Try again',
  loading: 'Loading…',
  groups: { recent: 'Recent', go: 'Go to', view: 'View', session: 'Session', help: 'Help', other: 'Other' },
};

// Words of the small controls.
export const enUi = {
  close: 'Close',
  risk: { low: 'Low risk', medium: 'Medium risk', high: 'High risk', critical: 'Critical' },
};

// Texts of the first tour and of suggested first messages.
export const enTour = {
  name: 'Tour',
  step: (at: number, of: number) => `Step ${at} of ${of}`,
  skip: 'Skip the tour',
  next: 'Next',
  done: 'Done',
  waiting: 'Waiting for the agent…',
  prompt: 'Fix the shop and run its tests',
  ask: {
    title: 'Ask for something',
    text: 'This workspace is a small shop with three bugs. The demo model is a script, no AI; the tools, approvals and undo are real. Send this to begin:',
    act: 'Send it',
  },
  review: {
    title: 'See it before it happens',
    text: 'The agent wants to edit src/cart.js. You see the exact change. Approve all of it, or review the hunks and select some. Nothing is written until you decide.',
  },
  run: {
    title: 'See what a command does',
    text: 'Now it wants to run the tests. The command is shown part by part with what each may do. Approve it to see the result.',
  },
  summary: {
    title: 'See the result',
    text: 'The summary says what was done and which tests pass. Expand any step above to see its input, its output and who approved it.',
  },
  undo: {
    title: 'Undo it',
    text: 'Every change of every turn can be undone, even after a restart. Undo the edit in Changes, or here.',
    act: 'Undo the edit',
  },
  end: {
    title: 'That’s it',
    text: 'The palette finds every action, the audit shows every call. Choose a real model in the settings when you are ready.',
    act: 'Open the settings',
  },
};

// What an agent is asked to do by `codelab init` and `/init`: look at the project and write an AGENTS.md for agents to come.

export const initPrompt = `Write or improve AGENTS.md at the root of this workspace: the file that coding agents are told at the start of every session here.

1. Look first: README, manifests and lock files, build, test and lint configuration, CI workflows, the layout of the source, and instruction files that are already there (AGENTS.md, CLAUDE.md, .cursorrules, .github/copilot-instructions.md). Read; run nothing that changes files.
2. Then write AGENTS.md with only what an agent needs and could not guess:
   - the commands to install, build, test (also one single test), lint and format, exactly as they are typed here;
   - how the code is laid out and which parts depend on which, in a few lines;
   - conventions that differ from the usual, with the file that shows each;
   - what must not be done: generated files, secrets, slow or dangerous commands.
3. State facts you have seen in files, not advice that holds everywhere. Leave out what you could not find. At most 80 lines. Keep what people wrote in an existing AGENTS.md, unless it is wrong.
4. End by saying in two or three sentences what you wrote and what you were not sure of.`;

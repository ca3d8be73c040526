// Finds the tool that is meant by a name of another harness.
import { nearestName } from '@codelab/protocol';

const synonyms: readonly (readonly string[])[] = [
  [
    'read_file',
    'View',
    'read',
    'cat',
    'view',
    'view_file',
    'open_file',
    'read_text_file',
    'fs_read',
    'get_file',
  ],
  ['write_file', 'Replace', 'write', 'create_file', 'write_to_file', 'create', 'save_file', 'fs_write'],
  [
    ...['edit_file', 'Edit', 'edit', 'str_replace'],
    ...['replace_in_file', 'search_replace', 'replace', 'edit_text', 'replace_string_in_file', 'modify_file'],
  ],
  ['multi_edit', 'MultiEdit', 'multi_replace_string_in_file', 'multi_replace_file_content', 'edit_files'],
  ['apply_patch', 'patch', 'apply_diff', 'git_apply'],
  [
    'list_files',
    'LS',
    'list',
    'ls',
    'list_dir',
    'list_directory',
    'glob',
    'glob_file_search',
    'find_files',
    'GlobTool',
    'find',
    'tree',
  ],
  [
    ...['search_in_project', 'search_in_code', 'GrepTool', 'grep', 'search', 'grep_search', 'search_files'],
    ...[
      'ripgrep',
      'rg',
      'code_search',
      'codebase_search',
      'search_file_content',
      'find_in_files',
      'search_code',
    ],
  ],
  [
    ...['run_command', 'Bash', 'bash', 'execute_command', 'shell', 'exec', 'exec_command', 'local_shell'],
    ...[
      'run_terminal_cmd',
      'run_in_terminal',
      'run_shell_command',
      'terminal',
      'execute_bash',
      'execute',
      'sh',
    ],
    ...['container_exec', 'shell_command', 'run_bash', 'run_code', 'python', 'cmd'],
  ],
  ['run_persistent', 'start_process', 'run_background', 'start_server'],
  ['read_process', 'bash_output', 'get_terminal_output', 'command_status', 'read_output'],
  ['write_process', 'write_stdin', 'send_input'],
  ['kill_process', 'kill_shell', 'kill_bash', 'stop_process'],
  ['delete_file', 'remove_file', 'rm', 'delete', 'unlink'],
  ['move_file', 'rename_file', 'mv', 'rename'],
  ['create_directory', 'mkdir', 'make_directory', 'create_dir'],
  [
    'todowrite',
    'TodoWrite',
    'todo_write',
    'update_plan',
    'write_todos',
    'manage_todo_list',
    'update_todo_list',
  ],
  ['todoread', 'todo_read', 'read_todos'],
  [
    'prompt_user',
    'ask_user',
    'ask_followup_question',
    'ask_user_question',
    'request_user_input',
    'ask_question',
  ],
  ['task', 'spawn_agent', 'new_task', 'dispatch_agent', 'agent', 'run_subagent'],
  ['notebook_edit', 'NotebookEditCell', 'edit_notebook', 'edit_notebook_file'],
  ['skill', 'load_skill', 'activate_skill', 'use_skill'],
];

/** The tool with the same name except for case, punctuation and wrapping by models: `functions.readFile`. */
export function sameTool(requested: string, names: readonly string[]): string | undefined {
  const foldedName = folded(requested);
  return names.find((name) => folded(name) === foldedName);
}

/** One tool of another harness that covers several tools here, by its command. */
const editors = ['str_replace_editor', 'str_replace_based_edit_tool', 'text_editor', 'file_editor'];
const editing: readonly (readonly string[])[] = [
  ['read_file', 'View', 'read'],
  ['edit_file', 'Edit', 'edit'],
  ['write_file', 'Replace', 'write'],
];

/** A hint for a tool of another harness: `Bash` means run_command. Undefined where the meaning is unknown. */
export function findSynonym(requested: string, names: readonly string[]): string | undefined {
  const foldedName = folded(requested);
  const namesIn = (row: readonly string[]): string[] =>
    names.filter((name) => row.includes(name)).slice(0, 1);
  if (editors.some((name) => folded(name) === foldedName))
    return editing.flatMap(namesIn).join(' or ') || undefined;
  const row = synonyms.find((known) => known.some((name) => folded(name) === foldedName));
  return sameTool(requested, names) ?? (row && namesIn(row)[0]) ?? nearestName(requested, names);
}

function folded(name: string): string {
  const last = name.replace(
    /^(functions?|tools?|default_api|container|repo_browser|multi_tool_use)[.:_/]+/i,
    '',
  );
  return last
    .replace(/(<\|.*|tool)$/i, '')
    .replace(/[^a-z0-9]/gi, '')
    .toLowerCase();
}

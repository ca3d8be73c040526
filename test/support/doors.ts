// Every tool that takes a path, by each of its path fields: one enforcement point, many doors.
export type Door = { door: string; tool: string; args: Record<string, unknown>; changes: boolean };

/** `spare` names a file that exists, for the other end of a move. */
export function doorsTo(path: string, spare: string): Door[] {
  return [
    { door: 'read_file', tool: 'read_file', args: { path }, changes: false },
    { door: 'read_file paged', tool: 'read_file', args: { path, start_line: 1 }, changes: false },
    { door: 'list_files', tool: 'list_files', args: { path }, changes: false },
    { door: 'list_files deep', tool: 'list_files', args: { path, recursive: true }, changes: false },
    { door: 'write_file', tool: 'write_file', args: { path, content: 'by a tool\n' }, changes: true },
    { door: 'create_directory', tool: 'create_directory', args: { path }, changes: true },
    { door: 'delete_file', tool: 'delete_file', args: { path }, changes: true },
    { door: 'delete_file deep', tool: 'delete_file', args: { path, recursive: true }, changes: true },
    { door: 'move_file from', tool: 'move_file', args: { from: path, to: 'moved.txt' }, changes: true },
    {
      door: 'move_file to',
      tool: 'move_file',
      args: { from: spare, to: path, overwrite: true },
      changes: true,
    },
  ];
}

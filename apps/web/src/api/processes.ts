// Running commands and long-running processes over the API.
import { request, segment } from './request.ts';

export type ProcessLine = {
  process_id: string;
  status: 'running' | 'exited';
  exit_code: number | null;
  pid: number;
  command: string;
  session: string;
  started_at: string | number;
};
export type CommandLine = {
  call_id: string;
  session: string;
  tool: string;
  command: string;
  started_at: string;
  turn: number | null;
};
export type Output = {
  status: 'running' | 'exited';
  exit_code?: number | null;
  output: string;
  cursor: number;
  dropped?: boolean | number;
};

const of = (id: string): string => `/processes/${segment(id)}`;
const ofCall = (session: string, call: string): string =>
  `/sessions/${segment(session)}/calls/${segment(call)}`;

export const processesApi = {
  list: () => request<{ processes: ProcessLine[]; commands: CommandLine[] }>('GET', '/processes'),
  output: (id: string, cursor: number, signal: AbortSignal) =>
    request<Output>('GET', `${of(id)}/output`, { query: { cursor, raw: 'true' }, signal }),
  input: (id: string, input: string) => request<unknown>('POST', `${of(id)}/input`, { body: { input } }),
  stop: (id: string) => request<unknown>('POST', `${of(id)}/stop`, { body: {} }),
  restart: (id: string) => request<unknown>('POST', `${of(id)}/restart`, { body: {} }),
  commandOutput: (session: string, call: string, cursor: number, signal: AbortSignal) =>
    request<Output>('GET', `${ofCall(session, call)}/output`, { query: { cursor }, signal }),
  stopCommand: (session: string, call: string) =>
    request<unknown>('POST', `${ofCall(session, call)}/stop`, { body: {} }),
};

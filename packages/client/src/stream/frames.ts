// The messages of each wire, as far as a client relies on them. Types that are not listed here are delivered as well.
import type { PluginEvent, ServerWire } from '@codelab/dialects';
import type { AgentSignal, NeutralMessage } from '@codelab/protocol';

export type StreamWire = 'agent' | 'codelab' | 'neutral' | 'plugin';

type Json = Record<string, unknown>;

/** Any message: an object with a type. */
export type StreamFrame = Json & { type: string };

/** Sent once and not stored. Lasting state is sent as events. */
export type Signal = AgentSignal;

type NeutralFrames = { [Type in NeutralMessage['type']]: Extract<NeutralMessage, { type: Type }> };

type PluginFrames = { [Type in PluginEvent['type']]: Extract<PluginEvent, { type: Type }> };

export type Frames = {
  neutral: NeutralFrames;
  agent: ServerWire;
  codelab: ServerWire;
  plugin: PluginFrames;
};

export type AnyFrame<W extends StreamWire> = Frames[W][keyof Frames[W]];

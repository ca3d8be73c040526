// The shape of config.json, the user's and the workspace's.
import { efforts, policyModes, Rule } from '@codelab/protocol';
import { neverPassed } from '@codelab/runtime';
import * as z from 'zod/mini';
import { AnchorSetting } from './anchor.ts';
import { Hooks } from './hooks.ts';

const positive = () => z.optional(z.int().check(z.positive()));

export const Config = () =>
  z.strictObject({
    $schema: z.optional(z.string()),
    model: z.optional(z.string().check(z.regex(/^(demo|[a-z][a-z0-9_-]*\/\S+)$/))),
    providers: z.optional(z.record(ProviderName(), ProviderSetting())),
    policy: z.optional(
      z.strictObject({
        mode: z.optional(z.enum(policyModes)),
        rules: z.optional(z.array(Rule())),
      }),
    ),
    mcp: z.optional(z.strictObject({ servers: z.optional(z.record(McpServerName(), McpServer())) })),
    lsp: z.optional(LspSetting()),
    sandbox: z.optional(z.enum(['auto', 'required', 'off'])),
    sandbox_shows: z.optional(z.array(z.string().check(z.regex(/^(\/|~\/)/)))),
    environment: z.optional(z.array(EnvironmentName())),
    network_hosts: z.optional(z.array(HostEntry())),
    approval: z.optional(z.strictObject({ timeout_seconds: positive() })),
    notifications: z.optional(z.boolean()),
    terminal: z.optional(z.boolean()),
    limits: z.optional(
      z.strictObject({
        parallel: positive(),
        queued: positive(),
        reads: positive(),
        changes: positive(),
        commands: positive(),
        call_timeout_seconds: positive(),
        output_limit_bytes: z.optional(z.int().check(z.minimum(1000), z.maximum(10 * 1024 * 1024))),
        processes: positive(),
        memory_mb: positive(),
        cpu_seconds: positive(),
        tmp_mb: positive(),
      }),
    ),
    hooks: z.optional(Hooks()),
    audit: z.optional(z.strictObject({ anchors: z.optional(z.array(AnchorSetting())) })),
  });
export type Config = z.infer<ReturnType<typeof Config>>;

/** The shape of rules.json, which has the rules that people asked to remember. */
export const RulesFile = () =>
  z.strictObject({
    user: z.array(Rule()),
    workspaces: z.record(z.string(), z.array(Rule())),
  });

/** A model provider that only the user knows, or settings for a known one. Keys are stored elsewhere. */
const ProviderName = () => z.string().check(z.regex(/^[a-z][a-z0-9_-]{0,31}$/));

const Price = () =>
  z.strictObject({
    input: z.number().check(z.nonnegative()),
    output: z.number().check(z.nonnegative()),
    cache_read: z.optional(z.number().check(z.nonnegative())),
    cache_write: z.optional(z.number().check(z.nonnegative())),
  });

const ModelFacts = () => ({
  context_window: positive(),
  price: z.optional(Price()),
  effort: z.optional(z.enum(efforts)),
  max_tokens: positive(),
});

const ProviderSetting = () =>
  z.strictObject({
    base_url: z.optional(z.string().check(z.regex(/^https?:\/\/[^\s/@?#]+([/?#]\S*)?$/))),
    wire: z.optional(z.enum(['chat', 'responses', 'anthropic'])),
    key_env: z.optional(z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/))),
    ...ModelFacts(),
    models: z.optional(z.record(z.string(), z.strictObject(ModelFacts()))),
  });

/** One MCP server in the configuration: a program to start, or an address to send to. `${NAME}` in a secret is the user's variable. */
const McpServerName = () => z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/));

// Our own mark on the process is a CODELAB_ variable, and must stay ours.
const VariableName = () => z.string().check(z.regex(/^(?!CODELAB_)[A-Za-z_][A-Za-z0-9_]{0,127}$/));
/** A name ending in `*` stands for all names with that prefix, except those that look like secrets. */
const HostEntry = () =>
  z.string().check(
    z.regex(/^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/i, {
      error: 'a host, as in example.org, *.example.org or example.org:8443',
    }),
  );

const EnvironmentName = () =>
  z.string().check(
    z.regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}\*?$/),
    z.refine((name) => !neverPassed.test(name), {
      error: 'decides what programs start or find, so commands are not given it. Leave it out',
    }),
  );
const HeaderName = () => z.string().check(z.regex(/^[A-Za-z0-9-]{1,128}$/));

const Program = () =>
  z.strictObject({
    command: z.string().check(z.minLength(1)),
    args: z.optional(z.array(z.string())),
    env: z.optional(z.record(VariableName(), z.string())),
    cwd: z.optional(z.string().check(z.minLength(1))),
  });

const Address = () =>
  z.strictObject({
    url: z.string().check(z.regex(/^https?:\/\/[^\s/@?#]+([/?#]\S*)?$/)),
    headers: z.optional(z.record(HeaderName(), z.string())),
  });

/** A language server for a language: a program other than the default one, or false for none. */
const LanguageServer = () =>
  z.union([
    z.literal(false),
    z.strictObject({
      command: z.string().check(z.minLength(1)),
      args: z.optional(z.array(z.string())),
      env: z.optional(z.record(VariableName(), z.string())),
      extensions: z.optional(z.array(z.string().check(z.regex(/^\.[^/\s]{1,31}$/)))),
      language_id: z.optional(z.string().check(z.minLength(1))),
      initialization_options: z.optional(z.record(z.string(), z.unknown())),
      settings: z.optional(z.record(z.string(), z.unknown())),
      install: z.optional(z.string().check(z.minLength(1), z.maxLength(300))),
    }),
  ]);

const LspSetting = () =>
  z.strictObject({
    servers: z.optional(z.record(z.string().check(z.regex(/^[a-z][a-z0-9+#_-]{0,31}$/)), LanguageServer())),
    diagnostics_after_edits: z.optional(z.boolean()),
    memory_mb: positive(),
    idle_seconds: positive(),
    start_timeout_seconds: positive(),
    answer_timeout_seconds: positive(),
  });

export const McpServer = () => z.union([Program(), Address()]);
export type McpServer = z.infer<ReturnType<typeof McpServer>>;
export type McpServers = Readonly<Record<string, McpServer>>;

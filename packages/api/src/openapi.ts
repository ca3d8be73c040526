// The OpenAPI 3.1 document of the gateway, made from the route table.
import { ApprovalRequest, ErrorCode, Outcome, Plan, Rule, SessionEvent, Verdict } from '@codelab/protocol';
import * as z from 'zod/mini';
import { ErrorAnswer, KodeError, ModelError, PluginError } from './errors.ts';
import type { Route } from './route.ts';
import { ToolRecord } from './routes/plugin.ts';
import { Session } from './routes/sessions.ts';

type Json = Record<string, unknown>;
type Schema = z.ZodMiniType;

/** Schemas that many answers share; answers refer to them by name. */
const shared: Record<string, () => Schema> = {
  ApprovalRequest,
  ErrorAnswer,
  ErrorCode,
  KodeError,
  ModelError,
  Outcome,
  Plan,
  PluginError,
  Rule,
  Session,
  SessionEvent,
  ToolRecord,
  Verdict,
};

const at = '#/components/schemas/';

/** `isServed` leaves out routes that this gateway does not have: one without files, or without the page. */
export function describeApi(
  table: Readonly<Record<string, readonly Route[]>>,
  { version, isServed = () => true }: { version: string; isServed?: (route: Route) => boolean },
): Json {
  const areas = Object.entries(table).map(([tag, routes]) => ({ tag, routes: routes.filter(isServed) }));
  const allRoutes = areas.flatMap(({ routes }) => routes);
  const paths: Record<string, Json> = {};
  for (const { tag, routes } of areas)
    for (const route of routes)
      for (const [i, path] of [route.path, ...(route.also ?? [])].entries())
        paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, path, { tag, i }) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'CodeLab gateway',
      version,
      description: 'Sessions, tools, approvals and files of a CodeLab gateway.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { key: [] }],
    tags: areas.filter(({ routes }) => routes.length > 0).map(({ tag }) => ({ name: tag })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
      schemas: componentsOf(allRoutes),
    },
  };
}

function operation(route: Route, path: string, { tag, i }: { tag: string; i: number }): Json {
  const { id, summary, body, bodyTypes = [], isBodyOptional, isOpen } = route;
  const types = ['application/json', ...bodyTypes];
  const bodySchema = body && schemaOf(body());
  return {
    operationId: i === 0 ? id : `${id}${i + 1}`,
    tags: [tag],
    summary,
    parameters: [...pathParameters(path), ...queryParameters(route)],
    ...(bodySchema && {
      requestBody: {
        required: isBodyOptional !== true,
        content: Object.fromEntries(types.map((type) => [type, { schema: bodySchema }])),
      },
    }),
    responses: responsesOf(route),
    ...(isOpen && { security: [] }),
  };
}

function responsesOf({
  id,
  status = 200,
  answer,
  media = [],
  others = {},
  errors = ErrorAnswer,
}: Route): Json {
  const text = media.map((type) => [type, { schema: { type: 'string' } }] as const);
  const ofJson = answer
    ? [['application/json', { schema: { $ref: `${at}${answerName(id)}` } }] as const]
    : [];
  const content = Object.fromEntries([...ofJson, ...text]);
  const further = Object.keys(others).map((code) => [
    code,
    { description: 'Not now', ...jsonContent(`${answerName(id)}${code}`) },
  ]);
  const error = jsonContent(nameOfShared(errors) ?? `${id}Error`);
  return {
    [status]: { description: 'Done', ...(status !== 204 && { content }) },
    ...Object.fromEntries(further),
    '4XX': { description: 'Refused', ...error },
    '5XX': { description: 'Failed', ...error },
  };
}

function jsonContent(name: string): Json {
  return { content: { 'application/json': { schema: { $ref: `${at}${name}` } } } };
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters({ query }: Route): Json[] {
  if (query === undefined) return [];
  const schema = query();
  const { required = [] } = schemaOf(schema) as { required?: string[] };
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: schemaOf(field as Schema),
  }));
}

/** Answers and errors by name, with references between them. */
function componentsOf(routes: readonly Route[]): Json {
  const registry = z.registry<{ id: string }>();
  const namesOfSchemas = new Map<Schema, string>();
  const aliases: Record<string, string> = {};
  const add = (name: string, schema: Schema): void => {
    const schemaName = namesOfSchemas.get(schema);
    if (schemaName !== undefined && schemaName !== name) {
      aliases[name] = schemaName;
      return;
    }
    namesOfSchemas.set(schema, name);
    registry.add(schema, { id: name });
  };
  for (const [name, schema] of Object.entries(shared)) add(name, schema());
  for (const { id, answer, others = {}, errors = ErrorAnswer } of routes) {
    if (answer) add(answerName(id), answer());
    for (const [code, schema] of Object.entries(others)) add(`${answerName(id)}${code}`, schema());
    if (nameOfShared(errors) === undefined) add(`${id}Error`, errors());
  }
  const { schemas } = z.toJSONSchema(registry, {
    io: 'output',
    uri: (id) => `${at}${id}`,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => open(jsonSchema as Json),
  });
  const components = Object.entries(schemas).map(
    ([name, schema]) => [name, withoutIds(schema as Json)] as const,
  );
  const same = Object.entries(aliases).map(([name, known]) => [name, { $ref: `${at}${known}` }] as const);
  return Object.fromEntries([...components, ...same]);
}

/** Answers may get more fields, so the schemas do not forbid them. */
function open(schema: Json): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
}

function schemaOf(schema: Schema): Json {
  return withoutIds(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json);
}

function withoutIds({ $schema: _schema, $id: _id, ...rest }: Json): Json {
  return rest;
}

function nameOfShared(schema: () => Schema): string | undefined {
  return Object.entries(shared).find(([, candidate]) => candidate === schema)?.[0];
}

function answerName(id: string): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}Answer`;
}

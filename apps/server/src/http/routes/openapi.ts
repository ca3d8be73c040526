// Describes every route of the gateway at `/openapi.json`, from the routes themselves and the schemas they are checked with.
// Register it before the routes it shall know of.

import { errorTable } from '@codelab/protocol';
import type { FastifyInstance, RouteOptions } from 'fastify';
import * as z from 'zod/mini';

/** What a route says of itself; schemas are made when somebody asks for the description. */
type About = {
  summary: string;
  query?: () => z.ZodMiniObject;
  body?: () => z.ZodMiniType;
  /** The body of a good answer; left out where it is a stream or anything else than one JSON value. */
  answer?: () => z.ZodMiniType;
  streams?: readonly string[];
};

declare module 'fastify' {
  interface FastifyContextConfig {
    about?: About;
  }
}

type Known = { method: string; url: string; about: About | undefined; isOpen: boolean };
type Json = Record<string, unknown>;

export function openapiRoutes(app: FastifyInstance): void {
  const known: Known[] = [];
  app.addHook('onRoute', (route) => void known.push(...describe(route)));
  const about = { summary: 'This description' };
  app.get('/openapi.json', { config: { about } }, () => describeAll(known));
}

function describe({ method, url, config }: RouteOptions): Known[] {
  const methods = [method].flat().map((one) => one.toLowerCase());
  const { about, isOpen = false } = config ?? {};
  return methods.filter((one) => one !== 'head').map((one) => ({ method: one, url, about, isOpen }));
}

function describeAll(known: readonly Known[]): Json {
  const paths: Record<string, Json> = {};
  for (const one of known) {
    const path = one.url.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [one.method]: operation(one, path) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'CodeLab gateway', version: '1' },
    security: [{ bearer: [] }, { key: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
      schemas: { ErrorCode: { type: 'string', enum: Object.keys(errorTable) } },
    },
  };
}

function operation({ method, url, about, isOpen }: Known, path: string): Json {
  const body = about?.body;
  return {
    summary: about?.summary ?? `${method.toUpperCase()} ${url}`,
    parameters: [...pathParameters(path), ...queryParameters(about)],
    ...(body && { requestBody: { content: { 'application/json': { schema: schemaOf(body(), 'input') } } } }),
    responses: { '200': { description: 'Done', ...content(about) }, default: { description: 'Refused' } },
    ...(isOpen && { security: [] }),
  };
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(about: About | undefined): Json[] {
  if (about?.query === undefined) return [];
  return Object.entries(about.query().shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: schemaOf(schema as z.ZodMiniType, 'input'),
  }));
}

function content(about: About | undefined): Json {
  if (about?.streams)
    return {
      content: Object.fromEntries(about.streams.map((type) => [type, { schema: { type: 'string' } }])),
    };
  if (about?.answer === undefined) return {};
  return { content: { 'application/json': { schema: schemaOf(about.answer(), 'output') } } };
}

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): unknown {
  const { $schema: _schema, ...rest } = z.toJSONSchema(schema, { io }) as Json;
  return rest;
}

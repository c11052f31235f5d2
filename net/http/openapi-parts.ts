/**
 * Parts of the OpenAPI documents that are not operations: envelopes, errors, events, and the
 * hoisting of schemas that carry an `$id` into components.
 */
import { ERRORS } from '../../core/errors.ts'
import type { Registry } from '../../core/registry.ts'
import { publicEvents } from '../command-view.ts'
import type { JsonObject } from '../game-state.ts'

/** Components filled while schemas are copied into the document. */
export type Components = Record<string, unknown>

/** Returns a reference to a schema of the components. */
export const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

/** Copies of schemas by document: many definitions share a schema. */
const hoisted = new WeakMap<Components, WeakMap<object, unknown>>()

function hoistedIn(components: Components): WeakMap<object, unknown> {
  const known = hoisted.get(components) ?? new WeakMap<object, unknown>()
  hoisted.set(components, known)
  return known
}

/**
 * Returns a copy in which every schema with an `$id` is a reference to a component; `top` keeps the
 * outermost one inline. TypeBox's own `$defs` and bare `$ref`s are rewritten alike. Copies are
 * shared within a document and must not be modified.
 */
export function hoist(schema: unknown, components: Components, top = false): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  const known = hoistedIn(components)
  const copied = top ? undefined : known.get(schema)
  if (copied !== undefined) return copied
  const copy = Array.isArray(schema)
    ? schema.map((item) => hoist(item, components))
    : hoistObject(schema as JsonObject, components, top)
  if (!top) known.set(schema, copy)
  return copy
}

function hoistObject(source: JsonObject, components: Components, top: boolean): JsonObject {
  const id = source.$id
  if (typeof id === 'string' && !top) {
    if (!(id in components)) {
      components[id] = {}
      components[id] = hoist(source, components, true)
    }
    return ref(id)
  }
  const copy: JsonObject = {}
  for (const [key, value] of Object.entries(source)) {
    if (key === '$id') continue
    if (key === '$defs') {
      for (const part of Object.values(value as JsonObject)) hoist(part, components)
    } else if (key === '$ref' && typeof value === 'string' && !value.startsWith('#')) {
      copy.$ref = `#/components/schemas/${value}`
    } else copy[key] = hoist(value, components)
  }
  return copy
}

const TEXT = { type: 'string' } as const
const TIME = { type: 'string', format: 'date-time' } as const

const pascal = (type: string): string =>
  type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Returns the component name of an event's payload. */
export const notificationName = (type: string): string => `Notification${pascal(type)}`

function notifications(registry: Registry, components: Components): JsonObject {
  const names = publicEvents(registry).map((event) => {
    const name = notificationName(event.type)
    components[name] = {
      description: event.summary,
      ...(hoist(event.fields, components, true) as JsonObject),
    }
    return name
  })
  return {
    type: ['array', 'null'],
    description: 'Events queued since the last request.',
    items: {
      type: 'object',
      properties: {
        id: TEXT,
        type: { ...TEXT, description: 'Category: chat, combat, trade, market, system, and so on.' },
        msg_type: { ...TEXT, description: 'Name of the event.' },
        timestamp: TIME,
        data: names.length > 0 ? { anyOf: names.map(ref) } : { type: 'object' },
      },
    },
  }
}

const SESSION: JsonObject = {
  type: 'object',
  properties: { id: TEXT, player_id: TEXT, created_at: TIME, expires_at: TIME },
}

const ERROR: JsonObject = {
  type: ['object', 'null'],
  properties: {
    code: TEXT,
    message: TEXT,
    details: { type: 'object' },
    retry_after: { type: 'integer', description: 'Seconds.' },
    wait_seconds: { type: 'integer', description: 'Seconds.' },
    limit: { ...TEXT, description: 'Name of the rate limit, if it is one.' },
    scope: { ...TEXT, description: 'What the rate limit counts by: ip, player, session, server.' },
    pending_command: TEXT,
    auto_docked: { type: 'boolean', description: 'The ship docked before the refusal.' },
    auto_undocked: { type: 'boolean', description: 'The ship undocked before the refusal.' },
  },
}

const RATE_LIMITED: JsonObject = {
  type: 'object',
  required: ['error', 'message', 'retry_after'],
  properties: {
    error: {
      anyOf: [ref('Error'), { ...TEXT, const: 'rate_limited' }],
      description: 'A string for an address in a time-out.',
    },
    code: TEXT,
    message: TEXT,
    retry_after: { type: 'integer', description: 'Seconds.' },
    wait_seconds: { type: 'integer', description: 'Seconds.' },
    limit: TEXT,
    scope: TEXT,
    session: ref('Session'),
  },
}

/** Adds the envelopes of a version; `result` is typed by each operation on v1 and a text on v2. */
export function envelopes(registry: Registry, version: 1 | 2, components: Components): void {
  components.Session = SESSION
  components.Error = ERROR
  components.RateLimited = RATE_LIMITED
  const properties = {
    result: version === 1 ? {} : { ...TEXT, description: 'The result as text.' },
    notifications: notifications(registry, components),
    notifications_dropped: {
      type: 'integer',
      description: 'Events dropped from a full queue since the last request; absent if none.',
    },
    session: ref('Session'),
    error: ref('Error'),
  }
  components[envelopeName(version)] = { type: 'object', properties }
}

export const envelopeName = (version: 1 | 2): string =>
  version === 1 ? 'V1Response' : 'V2Response'

const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } })

/** Returns the responses that operations share, by name. */
export function sharedResponses(version: 1 | 2): Record<string, JsonObject> {
  const envelope = json(ref(envelopeName(version)))
  return {
    Refused: { description: 'Refused.', content: envelope },
    Unauthorized: {
      description: 'session_required, session_invalid or not_authenticated.',
      content: envelope,
    },
    TooLarge: { description: 'payload_too_large.', content: envelope },
    RateLimited: {
      description: 'rate_limited: wait `retry_after` seconds.',
      headers: { 'Retry-After': { schema: { type: 'integer' } } },
      content: json(ref('RateLimited')),
    },
    Failed: { description: 'internal_error.', content: envelope },
    Unavailable: { description: 'restarting or persist_timeout.', content: envelope },
  }
}

/** Returns the 400 response of an operation with its possible codes. */
export function refusals(codes: readonly string[]): JsonObject {
  const refused = codes.filter((code) => {
    const entry = (ERRORS as Record<string, { status: number }>)[code]
    return entry === undefined || entry.status === 400
  })
  const description =
    refused.length > 0 ? `Refused: ${refused.join(', ')}, or a malformed payload.` : 'Refused.'
  return { $ref: '#/components/responses/Refused', description }
}

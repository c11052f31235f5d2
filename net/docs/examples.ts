/**
 * Examples of the protocol pages as data: what a client sends and the server answers. The pages
 * print them; test/e2e/docs.test.ts runs them in this order, so an example that a server answers
 * differently fails. Answers may omit fields; those shown exist and have that type.
 */
import type { JsonObject } from '../game-state.ts'

/** A frame of a WebSocket. */
export type SocketStep =
  | { readonly open: '/ws' | '/ws/v2' }
  | { readonly send: JsonObject | string }
  | { readonly get: JsonObject }
  | { readonly tick: string }
  | { readonly closed: number }

/** A request of HTTP and its answer. */
export interface HttpStep {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: JsonObject
  readonly status: number
  /** Headers of the answer. */
  readonly answerHeaders?: Readonly<Record<string, string>>
  /** Body of the answer; absent if it has none or it is not shown. */
  readonly answer?: JsonObject
}

export type Example =
  | { readonly socket: readonly SocketStep[] }
  | { readonly http: readonly HttpStep[] }

const json = (value: unknown): string => `\`\`\`json\n${pretty(value)}\n\`\`\``

const COLUMNS_MAX = 96

/** Formats JSON with short objects and lists on one line. */
export function pretty(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const inner = `${indent}  `
  const parts = isList
    ? value.map((part) => pretty(part, inner))
    : Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${pretty(part, inner)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return `${open}${close}`
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`
  if (indent.length + line.length <= COLUMNS_MAX && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`
}

function socketText(step: SocketStep): string {
  if ('open' in step) return `Connect to \`ws://127.0.0.1:8080${step.open}\`.`
  if ('send' in step)
    return typeof step.send === 'string'
      ? `The client sends:\n\n\`\`\`text\n${step.send}\n\`\`\``
      : `The client sends:\n\n${json(step.send)}`
  if ('get' in step) return `The server sends:\n\n${json(step.get)}`
  if ('tick' in step) return `*${step.tick}*`
  return `*The server closes with ${step.closed}.*`
}

function httpText(step: HttpStep): string {
  const heads = Object.entries(step.headers ?? {}).map(([name, value]) => `${name}: ${value}`)
  const request = [`${step.method} ${step.path}`, ...heads].join('\n')
  const answered = Object.entries(step.answerHeaders ?? {}).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const status = [`HTTP ${step.status}`, ...answered].join('\n')
  return [
    `\`\`\`http\n${request}\n\`\`\``,
    ...(step.body ? [json(step.body)] : []),
    `\`\`\`http\n${status}\n\`\`\``,
    ...(step.answer ? [json(step.answer)] : []),
  ].join('\n\n')
}

/** Returns an example as Markdown. */
const exampleText = (example: Example): string =>
  ('socket' in example ? example.socket.map(socketText) : example.http.map(httpText)).join('\n\n')

/** A section of a protocol page: prose, a generated table, or an example. */
export type Part = string | Example

/** Returns the parts as pieces of Markdown. */
export const partsText = (parts: readonly Part[]): string[] =>
  parts.map((part) => (typeof part === 'string' ? part : exampleText(part)))

export const examplesIn = (parts: readonly Part[]): Example[] =>
  parts.filter((part) => typeof part !== 'string')

/**
 * Renders the `result` text of HTTP v2, WebSocket v2 and MCP: a fixed form where clients parse it,
 * otherwise a readable listing of the structured result. Source: WIRE 4.9, 9.7, 9.9.
 */
import { type CommandDef, isMutation } from '../core/command.ts'
import { phrase } from '../core/error-phrase.ts'
import type { Failure } from '../core/errors.ts'
import { SECTIONS } from '../core/types.ts'
import { type HelpResult, renderHelp } from './help.ts'
import { FORMS } from './render/forms.ts'
import { cell, field, genericLines, isFields } from './render/table.ts'
import { withWait } from './session/limited.ts'

/** Fields of a delta that its listing leaves out. */
const UNLISTED = new Set<string>([...SECTIONS, 'details', 'message', 'action', 'success'])
const DONE = 'Done.'

/** Renders a result (raw, or the v2 delta around it) as text, which is never empty. */
export function renderText(def: CommandDef, result: unknown): string {
  if (isHelp(result)) return renderHelp(result)
  // The help of a command with actions is a complete text already.
  const help = field(result, 'action') === 'help' ? field(result, 'help') : undefined
  if (typeof help === 'string') return help
  const form = FORMS[def.name]
  const isAcknowledged = isFields(result) && result.pending === true
  const lines = form && !isAcknowledged ? form(result) : plainLines(def, result)
  const text = lines.join('\n').trim()
  return text === '' ? DONE : text
}

/**
 * Renders a refusal for MCP: `Error: <code>: <message>`, with the wait and with details that the
 * message lacks, since MCP clients read only the text.
 */
export function renderError(failure: Failure): string {
  const { code, message } = withWait(failure)
  const advice = message.replace(/\bRetry in (?=\d)/, 'Please try again in ')
  return `Error: ${code}: ${advice}${detailsText(message, failure.details)}`
}

/** Details that are only for programs, or that `withWait` puts into the message. */
const HIDDEN_DETAILS = new Set(['retry_after', 'wait_seconds', 'scope', 'limit_per_min', 'current'])

function detailsText(message: string, details: Failure['details']): string {
  const rest = Object.entries(details ?? {}).filter(
    ([name, value]) =>
      !HIDDEN_DETAILS.has(name) &&
      typeof value !== 'boolean' &&
      value !== '' &&
      !contains(message, value),
  )
  if (rest.length === 0) return ''
  return ` (${rest.map(([name, value]) => `${name}: ${phrase(value, name, '')}`).join('; ')})`
}

/** Returns true if the message contains the value, or all values of an object. */
function contains(message: string, value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value !== 'object') return message.includes(String(value))
  return Object.values(value).every((part) => contains(message, part))
}

function isHelp(result: unknown): result is HelpResult {
  const commands = field(result, 'commands')
  return (
    typeof field(result, 'description') === 'string' &&
    Array.isArray(commands) &&
    commands.every((command) => typeof field(command, 'format') === 'string')
  )
}

function plainLines(def: CommandDef, result: unknown): string[] {
  if (!isFields(result)) return genericLines(result)
  if (isMutation(def) && isDelta(result)) return deltaLines(def, result)
  const { message, action, ...rest } = result
  const lines = typeof message === 'string' && message !== '' ? [cell(message)] : []
  if (typeof action === 'string' && action !== def.name) lines.push(`action: ${cell(action)}`)
  return [...lines, ...genericLines(rest)]
}

/**
 * Returns true for the v2 answer of a mutation: it has sections, or its own result in `details`.
 */
const isDelta = (result: Readonly<Record<string, unknown>>): boolean =>
  isFields(result.details) || SECTIONS.some((name) => name in result)

function deltaLines(def: CommandDef, delta: Readonly<Record<string, unknown>>): string[] {
  const own = isFields(delta.details) ? delta.details : {}
  const { message: ownMessage, action: _, ...details } = own
  const message = delta.message ?? ownMessage
  const lines = typeof message === 'string' && message !== '' ? [cell(message)] : []
  lines.push(...genericLines(details))
  const others = Object.entries(delta).filter(([name]) => !UNLISTED.has(name))
  lines.push(...genericLines(Object.fromEntries(others)))
  if (lines.length === 0) lines.push(`${def.name}: done.`)
  const ship = isFields(delta.ship) ? delta.ship : {}
  for (const [name, a, b] of [
    ['Hull', ship.hull, ship.max_hull],
    ['Fuel', ship.fuel, ship.max_fuel],
    ['Cargo', ship.cargo_used, ship.cargo_capacity],
  ])
    if (typeof a === 'number' && typeof b === 'number') lines.push(`${name}: ${a}/${b}`)
  const docked = field(delta.location, 'docked_at')
  if (typeof docked === 'string' && docked !== '') lines.push(`Docked at: ${cell(docked)}`)
  return lines
}

/**
 * The page of errors: what each code means, its status, what to do next, and the commands that
 * answer with it.
 */
import { ERRORS, type ErrorCode } from '../../core/errors.ts'
import { errorsOf } from '../command-view.ts'
import { type DocumentedCommand, documentedCommands, linkTo } from './commands-page.ts'
import { cell, code, type DocsPage, type DocsSources, table } from './page.ts'

/** Largest number of commands listed with a code; the page of commands has the others. */
const COMMANDS_SHOWN_MAX = 6

/** Codes that every command may answer with: sessions, framing, admission, limits. */
export const OF_EVERY_COMMAND: readonly ErrorCode[] = [
  'session_required',
  'session_invalid',
  'not_authenticated',
  'invalid_json',
  'invalid_request_id',
  'invalid_payload',
  'payload_too_large',
  'request_timeout',
  'unknown_command',
  'unknown_tool',
  'missing_action',
  'invalid_action',
  'method_not_allowed',
  'rate_limited',
  'ip_timed_out',
  'action_pending',
  'ambiguous_target',
  'in_transit',
  'in_combat',
  'combat_interrupt',
  'incapacitated',
  'detained',
  'internal_error',
  'restarting',
  'persist_timeout',
]

/** Meaning and reaction by status. */
const BY_STATUS: Readonly<Record<number, readonly [string, string]>> = {
  400: [
    'The rules of the game or the form of the request refuse it.',
    'Change the request or your situation as the message says. A plain retry is refused again.',
  ],
  401: [
    'No session, an expired one, or nobody logged in on it.',
    'Create a session, log in, send it again with the new id.',
  ],
  403: ['It belongs to another account, or the origin is not allowed.', 'Do not retry.'],
  404: ['There is no such address, command, tool or action.', 'Correct the name.'],
  405: ['The path requires another method.', 'Use the method of the header `Allow`.'],
  408: ['The body took too long to arrive.', 'Send it again, in one go.'],
  413: ['The body or frame is too large.', 'Send less at a time.'],
  429: [
    'Too many requests, or the address is in a time-out.',
    'Wait `wait_seconds` (`retry_after`, header `Retry-After`), then send it again.',
  ],
  500: ['A bug of the server; it has been logged.', 'Try once more, not in a loop.'],
  503: [
    'The server restarts, or its database does not answer.',
    'Wait a few seconds, connect again if needed, send it again.',
  ],
}

/** Returns the statuses of codes, ascending, with what they mean and what to do. */
export function statusTable(): string {
  const statuses = [...new Set(Object.values(ERRORS).map(({ status }) => status))].sort()
  const rows = statuses.map((status) => {
    const [meaning, next] = BY_STATUS[status]
    const codes = Object.values(ERRORS).filter((entry) => entry.status === status).length
    return [String(status), meaning, next, String(codes)]
  })
  return table(['Status', 'Meaning', 'What to do', 'Codes'], rows)
}

/** Returns the commands by their error codes. */
function usersOf(commands: readonly DocumentedCommand[]): Map<string, DocumentedCommand[]> {
  const users = new Map<string, DocumentedCommand[]>()
  for (const command of commands)
    for (const name of errorsOf(command.def)) {
      const known = users.get(name) ?? []
      known.push(command)
      users.set(name, known)
    }
  return users
}

function usersCell(users: readonly DocumentedCommand[]): string {
  const shown = users.slice(0, COMMANDS_SHOWN_MAX).map(linkTo).join(', ')
  const more = users.length - COMMANDS_SHOWN_MAX
  return more > 0 ? `${shown} and ${more} more` : shown
}

function errorTable(
  names: readonly string[],
  users: ReadonlyMap<string, readonly DocumentedCommand[]>,
): string {
  const rows = names.map((name) => {
    const { message, status } = ERRORS[name as ErrorCode]
    const meaning = cell(message)
    const commands = usersCell(users.get(name) ?? [])
    return [`<a id="${name}"></a>${code(name)}`, String(status), meaning, commands]
  })
  return table(['Code', 'Status', 'Meaning, and what to do', 'Commands'], rows)
}

const INTRO = [
  'A refusal has a `code` for programs, which does not change, a `message` for people, which may',
  'change, and optionally `details`: what is needed, what is available, which',
  'fields are wrong. A refused command has changed nothing, except for a docking or undocking that came',
  'before it (`auto_docked`, `auto_undocked`). The status is that of HTTP; a WebSocket carries the same',
  'object in a frame `error` or `action_error`.',
].join('\n')

function pieces(sources: DocsSources): string[] {
  const users = usersOf(documentedCommands(sources))
  const others = Object.keys(ERRORS)
    .filter((name) => !OF_EVERY_COMMAND.includes(name as ErrorCode))
    .sort()
  return [
    '# Errors',
    INTRO,
    '## By status',
    statusTable(),
    '## Of every command',
    'Sessions, framing, admission of mutations and limits; they are not listed with each command.',
    errorTable(OF_EVERY_COMMAND, users),
    '## Of single commands',
    errorTable(others, users),
  ]
}

export const ERRORS_PAGE: DocsPage = {
  name: 'errors',
  title: 'Errors',
  summary: 'Every error code: its status, what it means, what to do next, which commands use it.',
  pieces,
}

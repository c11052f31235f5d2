/**
 * A bot's HTTP session in memory: requests go through the real routes, and each must get exactly
 * one answer.
 */
import type { CommandDef } from '../../core/command.ts'
import type { Exchange } from '../../net/http/exchange.ts'
import type { Payload } from './requests.ts'
import { type Port, type PortOptions, toV2Names } from './socket.ts'

interface Body {
  readonly result?: unknown
  readonly structuredContent?: unknown
  readonly error?: unknown
  readonly code?: string
  readonly message?: string
  readonly session?: { readonly id: string }
  readonly notifications?: readonly { readonly id: string; readonly data: Payload }[]
}

interface Http {
  readonly options: PortOptions
  readonly version: 'v1' | 'v2'
  session: string
  isOpen: boolean
  /** Functions that abort the exchanges under way. */
  readonly aborts: Set<() => void>
  lastNotification: number
}

const NOTIFICATIONS_MAX = 100

const asPayload = (value: unknown): Payload =>
  typeof value === 'object' && value !== null ? (value as Payload) : {}

/** Checks that notifications are bounded, in order and not repeated (I10). */
function checkQueue(http: Http, body: Body): void {
  const { stage, name, seen, requests } = http.options
  const notes = body.notifications ?? []
  if (notes.length > NOTIFICATIONS_MAX)
    stage.broken(`I10: ${name} got ${notes.length} notifications at once`)
  for (const { id, data } of notes) {
    if (Number(id) <= http.lastNotification)
      stage.broken(`I10: ${name} got notification ${id} after ${http.lastNotification}`)
    http.lastNotification = Number(id)
    requests.event()
    seen(data)
  }
}

function refusalOf(body: Body): { code: string; message: string } {
  const { error } = body
  if (typeof error === 'string') return { code: error, message: String(body.message) }
  const { code, message } = asPayload(error)
  return { code: String(code), message: String(message) }
}

function onAnswer(http: Http, id: string, text: string, isLogin: boolean): void {
  const { requests, seen, loggedIn } = http.options
  const body = JSON.parse(text) as Body
  if (body.session && body.session.id !== http.session) {
    http.session = body.session.id
    http.lastNotification = 0
  }
  checkQueue(http, body)
  if (body.error) {
    const refused = refusalOf(body)
    requests.final(id, { ...refused, isPlain: true }, http)
    seen(asPayload(body.error), refused.code)
    return
  }
  const result = asPayload(http.version === 'v1' ? body.result : body.structuredContent)
  requests.final(id, { isPlain: true }, http)
  if (isLogin) loggedIn(result)
  seen(result)
}

function exchangeOf(http: Http, path: string, text: string, done: (body: string) => void) {
  const { stage, name, ip } = http.options
  const session = http.session
  let isDone = false
  let aborted: (() => void)[] = []
  const exchange: Exchange = {
    method: 'POST',
    path,
    query: new URLSearchParams(),
    remote: ip,
    requestId: 'simulated',
    header: (header) => (header === 'x-session-id' ? session : ''),
    body: Promise.resolve(Buffer.from(text)),
    isDone: () => isDone,
    cutOff: () => undefined,
    onAborted: (handler) => void aborted.push(handler),
    respond(_status, _headers, body) {
      if (isDone) return stage.broken(`${name}: an exchange of ${path} is answered twice`)
      isDone = true
      http.aborts.delete(abort)
      done(body.toString())
    },
    stream: () => {
      throw new Error(`${path} streams no answers`)
    },
  }
  const abort = (): void => {
    isDone = true
    http.aborts.delete(abort)
    for (const handler of aborted) handler()
    aborted = []
  }
  http.aborts.add(abort)
  return exchange
}

export function openHttpPort(options: PortOptions, version: 'v1' | 'v2'): Port {
  const { front, requests } = options
  const http: Http = {
    options,
    version,
    session: '',
    isOpen: true,
    aborts: new Set(),
    lastNotification: 0,
  }
  const post = (path: string, text: string, done: (body: string) => void): void =>
    front.request(exchangeOf(http, path, text, done))
  const addressOf = (def: CommandDef): string => {
    if (version === 'v1') return `/api/v1/${def.name}`
    const action = def.v2?.action ? `/${def.v2.action}` : ''
    return `/api/v2/${def.v2?.tool}${action}`
  }
  return {
    front,
    isSocket: false,
    isOpen: () => http.isOpen,
    send(def, params) {
      const { id } = requests.record(def, params, http, false)
      const isLogin = /^(login|register)$/.test(def.name)
      const body = JSON.stringify(version === 'v1' ? params : toV2Names(def, params))
      post(addressOf(def), body, (text) => onAnswer(http, id, text, isLogin))
    },
    sendJunk(text) {
      post(`/api/${version}/get_status`, text, () => {})
    },
    closeCode: () => 0,
    stall: () => {},
    step: () => {},
    vanish() {
      http.isOpen = false
      for (const abort of [...http.aborts]) abort()
      requests.lose(http)
    },
    missing: () => [],
  }
}

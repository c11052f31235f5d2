/**
 * The state of the console of this tab: one session, the form, and typed input. It is kept only in
 * memory and survives a switch to another view; credentials are never stored by the browser.
 */
import { batch, computed, signal } from '@preact/signals'
import { byAddress, type Call, type ConsoleBody, type ConsoleOperation } from './console.ts'
import { type Fields, faultsOf, fieldsOf, fill } from './form.ts'
import { me } from './me.ts'
import { Session, type SocketEvents } from './session.ts'
import { OUT, type PlayState, type Sent } from './state.ts'

export const CONSOLE_PATH = '/api/console.json'

export const play = signal<PlayState>(OUT)
export const operations = signal<ReadonlyMap<string, ConsoleOperation>>(new Map())
/** The time of `performance.now()`, updated four times a second while the console is shown. */
export const nowMs = signal(0)

function open(events: SocketEvents) {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const socket = new WebSocket(`${scheme}://${location.host}/ws/v2`)
  socket.onmessage = ({ data }) => events.onMessage(data)
  socket.onclose = ({ code, reason }) => events.onClose(code, reason)
  return {
    send: (text: string) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text)
    },
    close: () => socket.close(1000),
  }
}

export const session = new Session({
  open,
  now: () => performance.now(),
  schedule(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  jitter: Math.random,
  changed(state) {
    play.value = state
    me.value = state.phase === 'out' ? undefined : (state.game.player?.username ?? me.peek())
  },
})

let latestBody: ConsoleBody | undefined
/** Replaces the list of commands, unless the body is the same. */
export function setOperations(body: ConsoleBody): void {
  if (body === latestBody) return
  latestBody = body
  operations.value = byAddress(body)
}

/* The form */

/** The button that opens the palette. */
export const FINDER_ID = 'find-command'

export interface OpenForm {
  readonly address: string
  readonly fields: Fields
  readonly faults: Readonly<Record<string, string>>
}

export const form = signal<OpenForm | undefined>(undefined)
/** Increases when a form is opened, so that its first field takes the focus. */
export const focusForm = signal(0)
/** Why the last click on Send sent nothing; empty if it did. */
export const formNote = signal('')

/** Opens the form of a command, filled with a call, and focuses it. */
export function openForm(call: Call, faults: OpenForm['faults'] = {}): void {
  batch(() => {
    form.value = { address: call.address, fields: fieldsOf(call.payload), faults }
    formNote.value = ''
    focusForm.value += 1
    shownTab.value = 'do'
  })
}

/** Closes the form and moves the focus to the button that finds the next command. */
export function closeForm(): void {
  form.value = undefined
  document.getElementById(FINDER_ID)?.focus()
}

export function setField(name: string, text: string): void {
  const { value } = form
  if (!value) return
  const { [name]: _, ...faults } = value.faults
  form.value = { ...value, fields: { ...value.fields, [name]: text }, faults }
}

/** The commands sent by the player, oldest first, without queries of the console itself. */
export const history = computed<readonly Sent[]>(() =>
  play.value.sent.filter(({ isQuiet }) => !isQuiet),
)
/** Addresses of the commands sent by the player, latest first, without duplicates. */
export const recentAddresses = computed<readonly string[]>(() => [
  ...new Set(history.value.map(({ address }) => address).reverse()),
])

/** How far back in the history the form is; 0 = not in the history. */
let depth = 0

/** Opens the form with the previous or next call of the history. */
export function stepHistory(by: 1 | -1): void {
  const calls = history.value
  const next = Math.min(depth + by, calls.length)
  // Nothing is newer than the latest call: what is typed stays.
  if (next < 1) return
  depth = next
  const { address, payload } = calls[calls.length - depth]
  openForm({ address, payload })
}

/** Sends a call; returns false if too many are waiting already. */
export function send(call: Call): boolean {
  const operation = operations.value.get(call.address)
  depth = 0
  const isSent = session.send(call, operation?.mutation ?? false)
  formNote.value = isSent ? '' : 'Too many commands are waiting already; cancel one, or wait.'
  return isSent
}

/** Sends the form; errors are shown beside their fields. */
export function sendForm(): void {
  const { value } = form
  const operation = value && operations.value.get(value.address)
  if (!value || !operation) return
  const { payload, faults } = fill(operation, value.fields)
  if (Object.keys(faults).length > 0) form.value = { ...value, faults }
  else if (send({ address: value.address, payload })) closeForm()
}

/** Opens the form with a refused command, with what was wrong beside its fields. */
export const reopenForm = ({ address, payload, details }: Sent): void =>
  openForm({ address, payload }, faultsOf(details))

/* Tabs and palette */

export type Tab = 'do' | 'state' | 'news' | 'chat'
export const shownTab = signal<Tab>('do')
export const isPaletteOpen = signal(false)

/* The login: what is typed survives a lost session */

export type LoginWay = 'login' | 'register' | 'token'
export const loginWay = signal<LoginWay>('login')
export const username = signal('')

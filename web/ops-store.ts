/**
 * Polls /api/ops while the operators' page is open. The token is kept only in memory, so it is gone
 * when the tab is closed.
 */
import { signal } from '@preact/signals'
import type { OpsBody } from '../core/public/ops.ts'

export const OPS_PATH = '/api/ops'

type OpsState =
  | { readonly kind: 'loading' }
  /** A token is needed; `wasWrong`: the last one was refused. */
  | { readonly kind: 'locked'; readonly wasWrong: boolean }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  | { readonly kind: 'open' }

export const opsState = signal<OpsState>({ kind: 'loading' })
/** The last body, which is kept after failures. */
export const ops = signal<OpsBody | undefined>(undefined)
export const isPaused = signal(false)

const PAUSE_MS_MIN = 1_000
const PAUSE_MS_MAX = 30_000
const TIMEOUT_MS = 10_000

let token = ''
let timer: ReturnType<typeof setTimeout> | undefined
let failures = 0
/** Whether the page is open; a round that ends after it was closed starts no other. */
let isOpen = false

async function read(): Promise<void> {
  const sent = token
  const headers: Record<string, string> = sent ? { authorization: `Bearer ${sent}` } : {}
  const response = await fetch(OPS_PATH, {
    headers,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    credentials: 'omit',
    cache: 'no-store',
  })
  // A token was given meanwhile: the round that sends it sets the state.
  if (sent !== token) return
  if (response.status === 401 || response.status === 403) {
    opsState.value = { kind: 'locked', wasWrong: sent !== '' }
    return
  }
  if (!response.ok) {
    // A proxy may answer with a page instead.
    const refusal = (await response.json().catch(() => ({}))) as Partial<Record<string, string>>
    const { error = `http_${response.status}` } = refusal
    const { message = `The server answered ${response.status}.` } = refusal
    throw Object.assign(new Error(message), { code: String(error) })
  }
  const body = (await response.json()) as OpsBody
  if (!isPaused.peek()) ops.value = body
  opsState.value = { kind: 'open' }
  failures = 0
}

async function round(): Promise<void> {
  clearTimeout(timer)
  if (!document.hidden) {
    try {
      await read()
    } catch (error) {
      failures += 1
      const { code: reason, message } = error as Error & { code?: unknown }
      // Exceptions of the browser have a number as their code.
      const code = typeof reason === 'string' ? reason : 'offline'
      const text = code === 'offline' ? 'The server does not answer.' : message
      opsState.value = { kind: 'failed', code, message: text }
    }
  }
  // Without a token polling stops; giveToken starts it again.
  if (!isOpen || opsState.peek().kind === 'locked') return
  const base = Math.max(PAUSE_MS_MIN, Math.min(ops.peek()?.tick_ms ?? PAUSE_MS_MIN, PAUSE_MS_MAX))
  timer = setTimeout(() => void round(), Math.min(PAUSE_MS_MAX, base * 2 ** Math.min(failures, 5)))
}

/** Polls until the returned function is called. */
export function watchOps(): () => void {
  isOpen = true
  void round()
  return () => {
    isOpen = false
    clearTimeout(timer)
  }
}

/** Stores the token that the reader typed, and loads the figures. */
export function giveToken(given: string): void {
  token = given.trim()
  opsState.value = { kind: 'loading' }
  void round()
}

export const retryOps = (): void => void round()

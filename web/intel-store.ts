/**
 * Polls the intel map of an account while its view is open. The token is kept only in memory, so it
 * is gone when the tab is closed.
 */
import { signal } from '@preact/signals'
import type { IntelMap, IntelMovements, IntelSystem } from '../core/public/intel-map.ts'
import { requestAccount } from './account.ts'

type IntelState =
  /** A token is needed; `why` says what was wrong with the last one. */
  | { readonly kind: 'locked'; readonly why: string }
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  | { readonly kind: 'open' }

/** The parts of the map read so far; each loads and fails separately. */
export interface Intel {
  readonly map?: IntelMap
  readonly movements?: IntelMovements
}

/** The selected system, and what is known about it. */
interface SeenSystem {
  readonly id: string
  readonly data?: IntelSystem
  readonly fault?: string
}

export const intelState = signal<IntelState>({ kind: 'locked', why: '' })
/** The last bodies, which are kept after failures. */
export const intel = signal<Intel | undefined>(undefined)
/** The system that the view shows, with its intel once loaded. */
export const seenSystem = signal<SeenSystem | undefined>(undefined)

/** A round sends three requests, of the 60 per minute that an address may send. */
const ROUND_MS = 15_000

let token = ''
let timer: ReturnType<typeof setTimeout> | undefined
let isOpen = false
/** Increases with each new token, so that answers to requests with an earlier one are discarded. */
let generation = 0

async function readSystem(id: string, requested: number): Promise<void> {
  const path = `/api/intel-map/system/${encodeURIComponent(id)}`
  const isWanted = (): boolean => requested === generation && seenSystem.peek()?.id === id
  try {
    const data = (await requestAccount(path, token)) as IntelSystem
    if (isWanted()) seenSystem.value = { id, data }
  } catch (error) {
    if (isWanted()) seenSystem.value = { ...seenSystem.peek(), id, fault: (error as Error).message }
  }
}

async function readAll(requested: number): Promise<void> {
  const seen = seenSystem.peek()
  const [map, movements] = await Promise.allSettled([
    requestAccount('/api/intel-map', token),
    requestAccount('/api/intel-map/movements', token),
    seen && readSystem(seen.id, requested),
  ])
  if (requested !== generation) return
  const isRead = map.status === 'fulfilled' || movements.status === 'fulfilled'
  if (isRead) {
    intel.value = {
      ...intel.peek(),
      ...(map.status === 'fulfilled' && { map: map.value as IntelMap }),
      ...(movements.status === 'fulfilled' && { movements: movements.value as IntelMovements }),
    }
  }
  for (const part of [map, movements]) if (part.status === 'rejected') throw part.reason
  intelState.value = { kind: 'open' }
}

async function round(): Promise<void> {
  clearTimeout(timer)
  const requested = generation
  if (!document.hidden && token !== '') {
    try {
      await readAll(requested)
    } catch (error) {
      if (requested !== generation) return
      const { code = 'offline', message } = error as Error & { code?: string }
      if (code === 'unauthorized') forgetToken(`${message} Look it up again, or make a new one.`)
      else intelState.value = { kind: 'failed', code, message }
    }
  }
  if (isOpen && requested === generation && token !== '')
    timer = setTimeout(() => void round(), ROUND_MS)
}

/** Starts polling; returns a function that stops it. */
export function watchIntel(): () => void {
  isOpen = true
  void round()
  return () => {
    isOpen = false
    clearTimeout(timer)
  }
}

/** Stores the token that the reader typed, and loads the intel. */
export function giveToken(given: string): void {
  generation++
  token = given.trim()
  intelState.value = { kind: 'loading' }
  void round()
}

/** Deletes the token and the intel, and asks for a token again; `why` is shown. */
export function forgetToken(why = ''): void {
  generation++
  token = ''
  clearTimeout(timer)
  intel.value = undefined
  seenSystem.value = undefined
  intelState.value = { kind: 'locked', why }
}

/** Selects a system; without an id, none. */
export function lookAt(id: string | undefined): void {
  if (id === seenSystem.peek()?.id) return
  seenSystem.value = id === undefined ? undefined : { id }
  if (id !== undefined && token !== '') void readSystem(id, generation)
}

export const retryIntel = (): void => void round()

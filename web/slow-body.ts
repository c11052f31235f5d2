/**
 * Bodies out of the archive that change during a battle. They are loaded again at a slow pace, for
 * each load costs the server a query.
 */
import type { Signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Loaded, retry, useBody } from './api.ts'

/** Far fewer requests than an address may send in a minute, whatever the length of a tick. */
const RELOAD_EVERY_MS = 6_000

/** Returns a body, loaded again every few seconds while `isLive` is true of it. */
export function useSlowBody<T>(path: string, isLive: (body: T) => boolean): Signal<Loaded<T>> {
  const state = useBody<T>(path, 'M')
  useEffect(() => {
    const timer = setInterval(() => {
      const { data, failure } = state.peek()
      // A failed load retries on its own schedule.
      if (data && !failure && !document.hidden && isLive(data)) retry(path)
    }, RELOAD_EVERY_MS)
    return () => clearInterval(timer)
  }, [state])
  return state
}

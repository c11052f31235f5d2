/** Bodies of the archive that change while something is fought: each look at them costs a query. */
import type { Signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Loaded, retry, useBody } from './api.ts'

/** Well below what an address may ask of the archive in a minute, at any length of a tick. */
const PACE_MS = 6_000

/** A body while the component is mounted, renewed at a slow pace while `isLive` says so of it. */
export function useSlowBody<T>(path: string, isLive: (body: T) => boolean): Signal<Loaded<T>> {
  const state = useBody<T>(path, 'M')
  useEffect(() => {
    const timer = setInterval(() => {
      const { data, failure } = state.peek()
      // What failed is tried again by its own time.
      if (data && !failure && !document.hidden && isLive(data)) retry(path)
    }, PACE_MS)
    return () => clearInterval(timer)
  }, [state])
  return state
}

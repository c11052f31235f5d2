/**
 * The states that all views share: loading, empty, error, gone. (Stale and past are shown in the
 * bar: parts/moment.tsx.) Source: WEB 4.
 */
import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Failure, type Loaded, retry } from '../api.ts'
import { second } from '../clock.ts'

const SKELETON_AFTER_MS = 150

/**
 * Shows a skeleton of rows; nothing at first, since most data loads faster.
 */
export function Skeleton({ rows = 8 }: { readonly rows?: number }) {
  const [isShown, show] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => show(true), SKELETON_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div class="skeleton" data-state="loading" aria-busy="true">
      {isShown && Array.from({ length: rows }, (_, row) => <span key={row} />)}
      <span class="hidden">Loading</span>
    </div>
  )
}

/** Shows a sentence in place of an empty list. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="empty" data-state="empty">
      {children}
    </p>
  )
}

interface ErrorBarProps {
  readonly code?: string
  readonly message: string
  /** The text of the button; it may change without the error being announced again. */
  readonly remedy: string
  readonly onPress: () => void
}

/** Shows an error and a button that may remedy it. */
export function ErrorBar({ code, message, remedy, onPress }: ErrorBarProps) {
  return (
    <div class="bar bad" data-state="error">
      <div role="alert">
        <span>
          {code && <b>{code.replaceAll('_', ' ')}</b>} {message}
        </span>
      </div>
      <button type="button" onClick={onPress}>
        {remedy}
      </button>
    </div>
  )
}

/** Shows the failure of a body; its button counts down until the next attempt, or makes it now. */
export function FailureBar({ failure, path }: { failure: Failure; path: string }) {
  second.value
  const { code, message, retryAtMs } = failure
  const inSeconds = Math.ceil((retryAtMs - performance.now()) / 1_000)
  const remedy = inSeconds > 0 ? `Retry (${inSeconds} s)` : 'Retry'
  return <ErrorBar code={code} message={message} remedy={remedy} onPress={() => retry(path)} />
}

/** Shows that nothing was found at an address. */
export function Gone({ what }: { readonly what: string }) {
  return (
    <section class="gone" data-state="gone">
      <h1>Not found</h1>
      <p>{what}</p>
      <p class="muted">
        Search with <kbd>/</kbd>, or go to the <a href="/map">map</a>.
      </p>
    </section>
  )
}

interface StatefulProps<T> {
  readonly path: string
  readonly body: Signal<Loaded<T>>
  /** Message for status 404; absent: it is shown like any other failure. */
  readonly gone?: string
  readonly isEmpty?: (data: T) => boolean
  readonly empty?: ComponentChildren
  readonly skeleton?: ComponentChildren
  readonly children: (data: T) => ComponentChildren
}

/** Shows a body in whatever state it is in. After a failure the last data is still shown. */
export function Stateful<T>(props: StatefulProps<T>) {
  const { path, body, gone, isEmpty, empty, skeleton, children } = props
  const { data, failure, isSettled } = body.value
  if (!isSettled) return <>{skeleton ?? <Skeleton />}</>
  if (failure?.status === 404 && gone !== undefined) return <Gone what={gone} />
  return (
    <>
      {failure && <FailureBar failure={failure} path={path} />}
      {data !== undefined && (isEmpty?.(data) ? <Empty>{empty}</Empty> : children(data))}
    </>
  )
}

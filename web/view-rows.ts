/**
 * The list of views as other modules see it: paths and titles, without importing the views. The
 * rows are in views.ts; the page passes them to `setViews` when it starts.
 */
import type { ComponentType } from 'preact'
import { matchPath, type Params } from './router.ts'

export interface ViewProps {
  readonly params: Params
}

export interface ViewRow {
  /** Pattern of the path; `/:id?` is a part that may be absent. */
  readonly path: string
  readonly title: string
  /** The key that opens the view after `g`. */
  readonly key?: string
  /** Shown in the bar: always, or only where there is room. */
  readonly bar?: 'always' | 'wide'
  readonly load: () => Promise<ComponentType<ViewProps>>
}

let rows: readonly ViewRow[] = []

export function setViews(views: readonly ViewRow[]): void {
  rows = views
}

export const viewRows = (): readonly ViewRow[] => rows

/** Returns the path of a view without its parameters. */
export const pathOf = ({ path }: ViewRow): string => path.split('/:')[0]

/** Returns the view of a path; undefined if there is none. */
export function findView(where: string): { view: ViewRow; params: Params } | undefined {
  const path = where === '/' ? '/map' : where.replace(/\/$/, '')
  for (const view of rows) {
    const params = matchPath(view.path, path)
    if (params) return { view, params }
  }
  return undefined
}

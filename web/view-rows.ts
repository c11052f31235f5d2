/**
 * What the parts of the page know of its views: paths and titles, without the views themselves. The
 * rows are in views.ts; the page hands them over when it starts.
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
  /** Letter after `g`. */
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

/** Returns where a row of the table leads without parameters. */
export const pathOf = ({ path }: ViewRow): string => path.split('/:')[0]

/** Returns the view of a path of the page; undefined where it has none. */
export function findView(where: string): { view: ViewRow; params: Params } | undefined {
  const path = where === '/' ? '/map' : where.replace(/\/$/, '')
  for (const view of rows) {
    const params = matchPath(view.path, path)
    if (params) return { view, params }
  }
  return undefined
}

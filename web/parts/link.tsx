/** Links to views. If there is no such view, the text is shown without a link. */
import type { ComponentChildren } from 'preact'
import { hrefNow, hrefOf } from '../router.ts'
import { findView } from '../view-rows.ts'

interface LinkProps {
  readonly to: string
  /** Whether the link keeps the shown moment in time. */
  readonly keepsMoment?: boolean
  readonly class?: string
  readonly children: ComponentChildren
}

export function Link({ to, keepsMoment, class: name, children }: LinkProps) {
  if (!findView(to)) return <span class={name}>{children}</span>
  return (
    <a class={name} href={keepsMoment ? hrefNow(to) : hrefOf(to)}>
      {children}
    </a>
  )
}

export const PlayerLink = ({ name }: { readonly name: string }) => (
  <Link class="name" to={`/player/${encodeURIComponent(name)}`}>
    {name}
  </Link>
)

export const SystemLink = ({ id, name }: { readonly id: string; readonly name: string }) => (
  <Link class="name" to={`/system/${encodeURIComponent(id)}`} keepsMoment>
    {name}
  </Link>
)

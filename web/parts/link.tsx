/** Links to views. If there is no such view, the text is shown without a link. */

import type { ComponentChildren } from 'preact'
import { factionHref, playerHref, systemHref } from '../hrefs.ts'
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
  <Link class="name" to={playerHref(name)}>
    {name}
  </Link>
)

export const FactionLink = ({ name, tag }: { readonly name: string; readonly tag: string }) => (
  <Link to={factionHref(tag)}>
    <bdi class="name">{name}</bdi> <span class="mono">{tag}</span>
  </Link>
)

export const SystemLink = ({ id, name }: { readonly id: string; readonly name: string }) => (
  <Link class="name" to={systemHref(id)} keepsMoment>
    {name}
  </Link>
)

/** The list of keys that `?` opens. */
import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { areKeysOn, type KeyRow, switchKeys, viewKeys } from '../keys.ts'
import { viewRows } from '../view-rows.ts'

export const isKeyListOpen = signal(false)

const NAMES: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  'shift+ArrowLeft': 'Shift ←',
  'shift+ArrowRight': 'Shift →',
}

const Rows = ({ title, rows }: { title: string; rows: readonly (readonly [string, string])[] }) =>
  rows.length === 0 ? null : (
    <section>
      <h3>{title}</h3>
      <dl class="keys">
        {rows.map(([key, about]) => (
          <div key={key + about}>
            <dt>
              {key.split(' then ').map((part) => (
                <kbd key={part}>{NAMES[part] ?? part}</kbd>
              ))}
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
    </section>
  )

const shown = ({ key, about }: KeyRow) => [key, about] as const

export function KeyList({ keys }: { readonly keys: readonly KeyRow[] }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOpen = isKeyListOpen.value
  useEffect(() => {
    if (isOpen && !dialog.current?.open) dialog.current?.showModal()
  }, [isOpen])
  if (!isOpen) return null
  const close = () => {
    isKeyListOpen.value = false
  }
  const views = viewRows()
    .filter(({ key }) => key)
    .map(({ key, title }) => [`g then ${key}`, title] as const)
  return (
    <dialog ref={dialog} class="key-list" aria-label="Keys" onClose={close}>
      <header>
        <h2>Keys</h2>
        {/* Closed before it is removed, since only then the focus returns. */}
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <div class="columns">
        <Rows title="This view" rows={viewKeys.value.filter(({ about }) => about).map(shown)} />
        <Rows title="Everywhere" rows={[...keys.map(shown), ['Esc', 'close']]} />
        <Rows title="Go to" rows={views} />
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={areKeysOn.value}
          onChange={(event) => switchKeys(event.currentTarget.checked)}
        />
        Single-key shortcuts
      </label>
    </dialog>
  )
}

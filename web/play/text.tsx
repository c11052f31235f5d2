/** Shows texts of the server, with the commands in them as buttons that open their form. */
import { openForm, operations } from './store.ts'
import { partsOf } from './words.ts'

export function Words({ text }: { readonly text: string }) {
  return (
    <>
      {partsOf(text, operations.value).map((part, index) =>
        typeof part === 'string' ? (
          part
        ) : (
          <button key={index} type="button" class="inline" onClick={() => openForm(part)}>
            {part.text}
          </button>
        ),
      )}
    </>
  )
}

/** Shows a value as JSON; can be scrolled by keys, too. */
export function Raw({ value }: { readonly value: unknown }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus
    <pre tabIndex={0}>{JSON.stringify(value, null, 2)}</pre>
  )
}

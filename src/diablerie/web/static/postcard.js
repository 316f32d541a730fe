// The postcard of an evening as a file. It is made here, of the drawing in the page: no server has it.

const SCALE = 2; // pixels of the picture for one of the drawing

/** Let the buttons below the card save and send it. */
export function start() {
  const figure = document.querySelector("[data-postcard]");
  for (const button of document.querySelectorAll("[data-save]")) {
    const { save } = button.dataset;
    if (save === "share") button.hidden = !navigator.canShare?.({ files: [new File([""], "x.png", { type: "image/png" })] });
    button.addEventListener("click", () => (save === "share" ? send(figure) : keep(figure, save)));
  }
}

const called = (figure, kind) => `${figure.dataset.postcard.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "")}.${kind}`;

async function keep(figure, kind) {
  const href = URL.createObjectURL(kind === "svg" ? drawing(figure) : await picture(figure));
  Object.assign(document.createElement("a"), { href, download: called(figure, kind) }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60000); // browsers read it after the click
}

async function send(figure) {
  const file = new File([await picture(figure)], called(figure, "png"), { type: "image/png" });
  await navigator.share({ files: [file] }).catch(() => {}); // called off
}

function drawing(figure) {
  const svg = figure.querySelector("svg").cloneNode(true);
  const { width, height } = svg.viewBox.baseVal;
  svg.setAttribute("width", width * SCALE);
  svg.setAttribute("height", height * SCALE);
  return new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
}

async function picture(figure) {
  const image = new Image();
  image.src = URL.createObjectURL(drawing(figure));
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: image.naturalWidth, height: image.naturalHeight });
  canvas.getContext("2d").drawImage(image, 0, 0);
  URL.revokeObjectURL(image.src);
  return new Promise((made) => canvas.toBlob(made, "image/png"));
}

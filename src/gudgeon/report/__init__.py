"""Pages, folders and texts about models, runs, studies and articles, as the command line writes them.

    source.py      a model with its name, its file and the settings of its run
    content.py     what is reported of a run, as labels and texts: peaks, contacts, evidence
    spread.py      the range of peaks and shares over nearby runs, and what is one sample of chaos
    text.py        numbers, times and counts as text
    html.py        the frame of a page, and its tables
    run_page.py    report.html of a run; `model_page.py` adds the model and the viewer
    study_page.py, paper_page.py    the pages of a study and of the articles
    folder.py      what `--out` writes
    json_text.py   JSON with every digit, null for what is not a number
    support.py     which methods integrate which features, as a table
    descriptions.py    laws, materials and joints as they describe themselves

Decisions:

- A page is one file and makes no request to a network; a browser prints it as a PDF with the same content.
- A figure in a page is a picture of its own: drawn inline, styles and ids of several SVG files would collide.
- A name or message may hold anything: text is escaped, and what HTML does not allow is replaced.
"""

"""The bibliography: every work that laws, methods, analyses and cases name by key, and how BibTeX wants it.

A law, a method or an analysis says `works = ("lankarani1990",)`. A key is the first author's name and the year, in
plain letters. A field that is not known for certain is left out. A work registers by being made, so that a law that is
the only one to cite a work may hold it in its own file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import ClassVar

__all__ = ["WORKS", "Work", "entry", "latex", "uncited"]

_YEAR = re.compile(r"\b(?:1[789]|20)\d\d\b")


@dataclass(frozen=True)
class Work:
    """Something to cite. `kind` is the kind of entry; fields are as in BibTeX, written for LaTeX."""

    key: str
    kind: str
    author: str
    title: str
    year: str = ""
    journal: str = ""
    booktitle: str = ""
    editor: str = ""
    publisher: str = ""
    institution: str = ""
    edition: str = ""
    volume: str = ""
    number: str = ""
    pages: str = ""
    version: str = ""
    doi: str = ""
    other_year: str = ""  # that some cite it by; not printed

    registry: ClassVar[dict[str, Work]] = {}

    def __post_init__(self) -> None:
        if Work.registry.setdefault(self.key, self).title != self.title:
            raise ValueError(f'another work is called "{self.key}"; give this one another key')

    def bibtex(self, annote: str = "") -> str:
        """The entry; `annote` is plain text."""
        hidden = ("key", "kind", "other_year")
        values = {item.name: getattr(self, item.name) for item in fields(self) if item.name not in hidden}
        return entry(self.kind, self.key, {**values, "annote": latex(annote)})

    def years_in(self, text: str) -> set[str]:
        """The years by which a reference text names this work; {""} where it names the author and no year at all."""
        name = self.key.rstrip("0123456789")
        if name not in re.findall(r"[a-z]+", text.lower()):
            return set()
        years = set(_YEAR.findall(text))
        return years & {self.year, self.other_year} if years else {""}


def entry(kind: str, key: str, values: dict[str, str]) -> str:
    """A BibTeX entry of the fields that are not empty."""
    known = {name: value for name, value in values.items() if value}
    width = max(map(len, known), default=0)
    body = ",\n".join(f"  {name:<{width}} = {{{value}}}" for name, value in known.items())
    return f"@{kind}{{{key},\n{body}\n}}"


def latex(text: str) -> str:
    """Plain text without the characters that BibTeX and LaTeX would take for commands."""
    return re.sub(r"([&%$#_])", r"\\\1", re.sub(r"[{}\\]", "", text))


def uncited(text: str, works: tuple[str, ...]) -> bool:
    """Whether a reference text names something that is none of these works."""
    years = set(_YEAR.findall(text)) or {""}
    return bool(years - {year for key in works for year in WORKS[key].years_in(text)})


WORKS = Work.registry
WORKS.update(
    (work.key, work)
    for work in (
        Work(
            "ambrosio2002", "incollection", r"Ambr{\'o}sio, J. A. C.",
            "Impact of Rigid and Flexible Multibody Systems: Deformation Description and Contact Models",
            "2002", booktitle="Virtual Nonlinear Multibody Systems", editor=r"Schiehlen, W. and Val{\'a}{\v s}ek, M.",
        ),
        Work(
            "ambrosio2018", "article", r"Ambr{\'o}sio, J. and Pombo, J.",
            "A unified formulation for mechanical joints with and without clearances/bushings and/or stops "
            "in the framework of multibody systems",
            "2018", "Multibody System Dynamics", volume="42", number="3", pages="317--345",
            doi="10.1007/s11044-018-9613-z",
        ),
        Work(
            "arnold2007", "article", r"Arnold, M. and Br{\"u}ls, O.",
            r"Convergence of the generalized-$\alpha$ scheme for constrained mechanical systems",
            "2007", "Multibody System Dynamics", volume="18", number="2", pages="185--202",
            doi="10.1007/s11044-007-9084-0",
        ),
        Work(
            "bauchau1996", "article", "Bauchau, O. A. and Theron, N. J.",
            "Energy decaying scheme for non-linear beam models",
            "1996", "Computer Methods in Applied Mechanics and Engineering", volume="134", number="1-2",
            pages="37--56",
        ),
        Work(
            "bauchau2002", "article", "Bauchau, O. A. and Rodriguez, J.",
            "Modeling of joints with clearance in flexible multibody systems",
            "2002", "International Journal of Solids and Structures", volume="39", number="1", pages="41--63",
        ),
        Work(
            "benettin1980", "article", "Benettin, G. and Galgani, L. and Giorgilli, A. and Strelcyn, J.-M.",
            "{Lyapunov} characteristic exponents for smooth dynamical systems and for {Hamiltonian} systems; "
            "a method for computing all of them. {Part 2}: Numerical application",
            "1980", "Meccanica", volume="15", number="1", pages="21--30",
        ),
        Work(
            "booker1965", "article", "Booker, J. F.",
            "Dynamically Loaded Journal Bearings: Mobility Method of Solution",
            "1965", "Journal of Basic Engineering", volume="87", number="3", pages="537--546",
        ),
        Work(
            "bruls2012", "article", r"Br{\"u}ls, O. and Cardona, A. and Arnold, M.",
            r"Lie group generalized-$\alpha$ time integration of constrained flexible multibody systems",
            "2012", "Mechanism and Machine Theory", volume="48", pages="121--137",
            doi="10.1016/j.mechmachtheory.2011.07.017",
        ),
        Work(
            "canudas1995", "article",
            r"{Canudas de Wit}, C. and Olsson, H. and {\AA}str{\"o}m, K. J. and Lischinsky, P.",
            "A new model for control of systems with friction",
            "1995", "IEEE Transactions on Automatic Control", volume="40", number="3", pages="419--425",
        ),
        Work(
            "christopherson1941", "article", "Christopherson, D. G.",
            "A New Mathematical Method for the Solution of Film Lubrication Problems",
            "1941", "Proceedings of the Institution of Mechanical Engineers", volume="146", pages="126--135",
        ),
        Work(
            "chung1993", "article", "Chung, J. and Hulbert, G. M.",
            "A time integration algorithm for structural dynamics with improved numerical dissipation: "
            r"the generalized-$\alpha$ method",
            "1993", "Journal of Applied Mechanics", volume="60", number="2", pages="371--375",
            doi="10.1115/1.2900803",
        ),
        Work(
            "dormand1980", "article", "Dormand, J. R. and Prince, P. J.",
            "A family of embedded {Runge-Kutta} formulae",
            "1980", "Journal of Computational and Applied Mathematics", volume="6", number="1", pages="19--26",
        ),
        Work(
            "dubowsky1971", "article", "Dubowsky, S. and Freudenstein, F.",
            "Dynamic analysis of mechanical systems with clearances, {Part 1}: Formation of dynamic model",
            "1971", "Journal of Engineering for Industry", volume="93", number="1", pages="305--309",
        ),
        Work(
            "flores2006", "article", r"Flores, P. and Ambr{\'o}sio, J. and Claro, J. C. P. and Lankarani, H. M.",
            "Dynamics of Multibody Systems With Spherical Clearance Joints",
            "2006", "Journal of Computational and Nonlinear Dynamics", doi="10.1115/1.2198877",
        ),
        Work(
            "flores2007", "article", r"Flores, P. and Ambr{\'o}sio, J. and Claro, J. C. P. and Lankarani, H. M.",
            "Dynamic behaviour of planar rigid multi-body systems including revolute joints with clearance",
            "2007", "Proceedings of the Institution of Mechanical Engineers, Part K: Journal of Multi-body Dynamics",
            volume="221", pages="161--174",
        ),
        Work(
            "flores2010", "article", "Flores, P. and Leine, R. and Glocker, C.",
            "Modeling and analysis of planar rigid multibody systems with translational clearance joints "
            "based on the non-smooth dynamics approach",
            "2010", "Multibody System Dynamics", volume="23", pages="165--190", doi="10.1007/s11044-009-9178-y",
        ),
        Work(
            "flores2011", "article", "Flores, P. and Machado, M. and Silva, M. T. and Martins, J. M.",
            "On the continuous contact force models for soft materials in multibody dynamics",
            "2011", "Multibody System Dynamics", volume="25", pages="357--375",
            doi="10.1007/s11044-010-9237-4",
        ),
        Work(
            "flyvbjerg1989", "article", "Flyvbjerg, H. and Petersen, H. G.",
            "Error estimates on averages of correlated data",
            "1989", "The Journal of Chemical Physics", volume="91", number="1", pages="461--466",
            doi="10.1063/1.457480",
        ),
        Work(
            "fritsch1984", "article", "Fritsch, F. N. and Butland, J.",
            "A method for constructing local monotone piecewise cubic interpolants",
            "1984", "SIAM Journal on Scientific and Statistical Computing", volume="5", number="2", pages="300--304",
            doi="10.1137/0905021",
        ),
        Work(
            "gonthier2004", "article", "Gonthier, Y. and McPhee, J. and Lange, C. and Piedboeuf, J.-C.",
            "A regularized contact model with asymmetric damping and dwell-time dependent friction",
            "2004", "Multibody System Dynamics", volume="11", number="3", pages="209--233",
            doi="10.1023/B:MUBO.0000029392.21648.bc",
        ),
        Work(
            "gonzalez1996", "article", "Gonzalez, O.",
            "Time integration and discrete {Hamiltonian} systems",
            "1996", "Journal of Nonlinear Science", volume="6", number="5", pages="449--467",
            doi="10.1007/BF02440162",
        ),
        Work(
            "gonzalez2006", "article",
            r"Gonz{\'a}lez, M. and Dopico, D. and Lugr{\'\i}s, U. and Cuadrado, J.",
            "A benchmarking system for {MBS} simulation software: Problem standardization and performance measurement",
            "2006", "Multibody System Dynamics", volume="16", number="2", pages="179--190",
        ),
        Work(
            "gottwald2004", "article", "Gottwald, G. A. and Melbourne, I.",
            "A new test for chaos in deterministic systems",
            "2004", "Proceedings of the Royal Society of London. Series A", volume="460", pages="603--611",
        ),
        Work(
            "gottwald2009", "article", "Gottwald, G. A. and Melbourne, I.",
            "On the implementation of the 0-1 test for chaos",
            "2009", "SIAM Journal on Applied Dynamical Systems", volume="8", number="1", pages="129--145",
        ),
        Work(
            "gudgeon", "software", "{The gudgeon developers}",
            "gudgeon: multibody dynamics of mechanisms with real joints",
        ),
        Work(
            "hairer1993", "book", r"Hairer, E. and N{\o}rsett, S. P. and Wanner, G.",
            "Solving Ordinary Differential Equations {I}: Nonstiff Problems",
            "1993", publisher="Springer", edition="Second",
        ),
        Work(
            "hairer1996", "book", "Hairer, E. and Wanner, G.",
            "Solving Ordinary Differential Equations {II}: Stiff and Differential-Algebraic Problems",
            "1996", publisher="Springer", edition="Second",
        ),
        Work(
            "hertz1882", "article", "Hertz, H.", r"{Ueber die Ber{\"u}hrung fester elastischer K{\"o}rper}",
            "1882", r"Journal f{\"u}r die reine und angewandte Mathematik", volume="92", pages="156--171",
            other_year="1881",
        ),
        Work(
            "hunt1975", "article", "Hunt, K. H. and Crossley, F. R. E.",
            "Coefficient of restitution interpreted as damping in vibroimpact",
            "1975", "Journal of Applied Mechanics", volume="42", number="2", pages="440--445",
            doi="10.1115/1.3423596",
        ),
        Work(
            "jean1999", "article", "Jean, M.", "The non-smooth contact dynamics method",
            "1999", "Computer Methods in Applied Mechanics and Engineering", volume="177", number="3--4",
            pages="235--257", doi="10.1016/S0045-7825(98)00383-1",
        ),
        Work(
            "jansen1999", "article", "Jansen, M. J. W.", "Analysis of variance designs for model output",
            "1999", "Computer Physics Communications", volume="117", number="1-2", pages="35--43",
            doi="10.1016/S0010-4655(98)00154-4",
        ),
        Work(
            "johnson1985", "book", "Johnson, K. L.", "Contact Mechanics",
            "1985", publisher="Cambridge University Press",
        ),
        Work(
            "lankarani1990", "article", "Lankarani, H. M. and Nikravesh, P. E.",
            "A contact force model with hysteresis damping for impact analysis of multibody systems",
            "1990", "Journal of Mechanical Design", volume="112", number="3", pages="369--376",
        ),
        Work(
            "marques2016", "article", "Marques, F. and Flores, P. and Claro, J. C. P. and Lankarani, H. M.",
            "A survey and comparison of several friction force models for dynamic analysis of multibody "
            "mechanical systems",
            "2016", "Nonlinear Dynamics", volume="86", pages="1407--1443",
            doi="10.1007/s11071-016-2999-3",
        ),
        Work(
            "moes1986", "article", "Moes, H. and Sikkes, E. G. and Bosma, R.",
            "Mobility and impedance tensor methods for full and partial-arc journal bearings",
            "1986", "Journal of Tribology", volume="108", pages="612--620",
        ),
        Work(
            "moreau1988", "incollection", "Moreau, J. J.",
            "Unilateral contact and dry friction in finite freedom dynamics", "1988",
            booktitle="Nonsmooth Mechanics and Applications", editor="Moreau, J. J. and Panagiotopoulos, P. D.",
            publisher="Springer", pages="1--82", doi="10.1007/978-3-7091-2624-0_1",
        ),
        Work(
            "ocvirk1952", "techreport", "Ocvirk, F. W.",
            "Short-Bearing Approximation for Full Journal Bearings",
            "1952", institution="National Advisory Committee for Aeronautics", number="NACA TN 2808",
        ),
        Work(
            "pereira2011", "article", r"Pereira, C. M. and Ramalho, A. L. and Ambr{\'o}sio, J. A.",
            "A critical overview of internal and external cylinder contact force models",
            "2011", "Nonlinear Dynamics", volume="63", number="4", pages="681--697",
        ),
        Work(
            "pinkus1961", "book", "Pinkus, O. and Sternlicht, B.", "Theory of Hydrodynamic Lubrication",
            "1961", publisher="McGraw-Hill",
        ),
        Work(
            "plischke2013", "article", "Plischke, E. and Borgonovo, E. and Smith, C. L.",
            "Global sensitivity measures from given data",
            "2013", "European Journal of Operational Research", volume="226", number="3", pages="536--550",
            doi="10.1016/j.ejor.2012.11.047",
        ),
        Work(
            "prince1981", "article", "Prince, P. J. and Dormand, J. R.",
            "High order embedded {Runge-Kutta} formulae",
            "1981", "Journal of Computational and Applied Mathematics", volume="7", number="1", pages="67--75",
        ),
        Work(
            "reissner1972", "article", "Reissner, E.",
            "On one-dimensional finite-strain beam theory: the plane problem",
            "1972", r"Zeitschrift f{\"u}r angewandte Mathematik und Physik", volume="23", number="5", pages="795--804",
        ),
        Work(
            "reynolds1886", "article", "Reynolds, O.",
            "On the theory of lubrication and its application to {Mr.} {Beauchamp} {Tower's} experiments, including an "
            "experimental determination of the viscosity of olive oil",
            "1886", "Philosophical Transactions of the Royal Society of London", volume="177", pages="157--234",
        ),
        Work(
            "saltelli2010", "article",
            "Saltelli, A. and Annoni, P. and Azzini, I. and Campolongo, F. and Ratto, M. and Tarantola, S.",
            "Variance based sensitivity analysis of model output. Design and estimator for the total sensitivity index",
            "2010", "Computer Physics Communications", volume="181", number="2", pages="259--270",
            doi="10.1016/j.cpc.2009.09.018",
        ),
        Work(
            "schwab2002", "article", "Schwab, A. L. and Meijaard, J. P. and Meijers, P.",
            "A comparison of revolute joint clearance models in the dynamic analysis of rigid and elastic "
            "mechanical systems",
            "2002", "Mechanism and Machine Theory", volume="37", number="9", pages="895--913",
        ),
        Work(
            "simo1985", "article", "Simo, J. C.",
            "A finite strain beam formulation. {The} three-dimensional dynamic problem. {Part I}",
            "1985", "Computer Methods in Applied Mechanics and Engineering", volume="49", number="1", pages="55--70",
        ),
        Work(
            "simo1991", "article", "Simo, J. C. and Wong, K. K.",
            "Unconditionally stable algorithms for rigid body dynamics that exactly preserve energy and momentum",
            "1991", "International Journal for Numerical Methods in Engineering", volume="31", number="1",
            pages="19--52",
            doi="10.1002/nme.1620310103",
        ),
        Work(
            "simo1992", "article", "Simo, J. C. and Tarnow, N.",
            "The discrete energy-momentum method. {Conserving} algorithms for nonlinear elastodynamics",
            "1992", r"Zeitschrift f{\"u}r angewandte Mathematik und Physik", volume="43", number="5", pages="757--792",
            doi="10.1007/BF00913408",
        ),
        Work(
            "simo1995", "article", r"Simo, J. C. and Tarnow, N. and Doblar{\'e}, M.",
            "Non-linear dynamics of three-dimensional rods: exact energy and momentum conserving algorithms",
            "1995", "International Journal for Numerical Methods in Engineering", volume="38", number="9",
            pages="1431--1473",
        ),
        Work(
            "sommerfeld1904", "article", "Sommerfeld, A.",
            "{Zur hydrodynamischen Theorie der Schmiermittelreibung}",
            "1904", r"Zeitschrift f{\"u}r Mathematik und Physik", volume="50", pages="97--155",
        ),
        Work(
            "clopper1934", "article", "Clopper, C. J. and Pearson, E. S.",
            "The use of confidence or fiducial limits illustrated in the case of the binomial", "1934", "Biometrika",
            volume="26", number="4", pages="404--413",
        ),
        Work(
            "box1951", "article", "Box, G. E. P. and Wilson, K. B.",
            "On the experimental attainment of optimum conditions", "1951",
            "Journal of the Royal Statistical Society, Series B", volume="13", number="1", pages="1--38",
        ),
        Work(
            "storn1997", "article", "Storn, R. and Price, K.",
            "Differential evolution -- a simple and efficient heuristic for global optimization over continuous spaces",
            "1997", "Journal of Global Optimization", volume="11", number="4", pages="341--359",
        ),
        Work(
            "chase1988", "article", "Chase, K. W. and Greenwood, W. H.",
            "Design issues in mechanical tolerance analysis", "1988", "Manufacturing Review", volume="1", number="1",
            pages="50--59",
        ),
        Work(
            "thompson1936", "article", "Thompson, W. R.",
            "On confidence ranges for the median and other expectation distributions for populations of unknown "
            "distribution form",
            "1936", "The Annals of Mathematical Statistics", volume="7", number="3", pages="122--128",
        ),
    )
)  # fmt: skip
